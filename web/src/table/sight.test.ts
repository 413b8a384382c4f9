import { expect, it } from 'vitest';
import { way } from './sight';

const room = { top: 0, bottom: 100 };

it('what is in sight stays where it is', () => expect(way([{ top: 10, bottom: 30 }, { top: 60, bottom: 100 }], room)).toBe(0));
it('what lies above or below comes in, no further than it must', () => {
  expect(way([{ top: -20, bottom: 30 }], room)).toBe(-20);
  expect(way([{ top: 40, bottom: 60 }, { top: 90, bottom: 130 }], room)).toBe(30);
});
it('where not all fit the last one does, and what of the others lies next to it', () => {
  expect(way([{ top: 190, bottom: 220 }, { top: 10, bottom: 30 }], room)).toBe(10);
  expect(way([{ top: 10, bottom: 30 }, { top: 190, bottom: 220 }], room)).toBe(120);
});
it('nothing moves for nothing', () => expect(way([], room)).toBe(0));
