import { expect, it } from 'vitest';
import { words } from '../test-sheet';
import { passUntil } from './standing';

const fighting = { ...words.sheet, events: { ...words.sheet.events, 'assault-declared': [[]] } };

it('passes until what was named', () => {
  expect(passUntil('turn', '', 3, fighting)).toEqual({ action: 'pass', at: [], until: { turn: true } });
  expect(passUntil('round', 'roll-reaction', 3, fighting)).toEqual({ action: 'pass', at: ['roll-reaction'], until: { round: 4 } });
  expect(passUntil('assault', '', 3, fighting).until).toEqual({ turn: true, events: ['assault-declared'] });
  expect(passUntil('left', '', 3, fighting).until).toEqual({ turn: true, things: ['left'] });
});
it('waits for a real choice in a game without assaults', () => {
  const { 'assault-declared': _, ...events } = fighting.events;
  expect(passUntil('assault', '', 3, { ...fighting, events }).until).toEqual({ turn: true });
});
