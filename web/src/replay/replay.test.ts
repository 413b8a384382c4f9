import { expect, it } from 'vitest';
import type { Replay } from '../generated/protocol';
import { read } from '../route.svelte';
import { Film } from './film';
import { luckOf } from './luck';

const frames = [
  { view: { choosing: ['us'], state: { round: 1, units: { a: 0 } }, result: null }, events: [{ event: 'begin' }] },
  ...Array.from({ length: 200 }, (_, i) => ({ patch: [{ op: 'replace', path: '/state/units/a', value: i + 1 }], events: i % 2 ? [{ event: `e${i}` }] : [] })),
];
const film = new Film({ game: 'g', viewer: 'us', viewers: ['us'], frames } as unknown as Replay);

it('shows any moment, forwards and backwards', () => {
  for (const at of [0, 199, 3, 130, 64, 65, 200, 1]) expect(film.scene(at).state).toEqual({ round: 1, units: { a: at } });
});
it('knows which moment a line of the log belongs to', () => {
  expect(film.log.length).toBe(101);
  expect(film.momentOf.slice(0, 3)).toEqual([0, 2, 4]);
  expect(film.logAt[4]).toBe(3);
});
it('measures luck against fair dice', () => {
  const of = ['1', '2', '3', '4', '5', '6'];
  const [us, german] = luckOf([{ faces: ['6', '6', '6', '6'], seat: 'us', of }, { faces: ['1', '6'], seat: 'german', of }, { faces: ['3'], seat: null, of }], Number);
  expect(us).toMatchObject({ seat: 'us', dice: 4, mean: 6, expected: 3.5, faces: { '6': 4 } });
  expect(us!.better).toBeGreaterThan(0.99);
  expect(german!.better).toBeCloseTo(0.5, 6);
});
it('reads addresses', () => expect(read('#/replay/a%20b?viewer=us&at=12')).toEqual({ path: ['replay', 'a b'], query: { viewer: 'us', at: '12' } }));
