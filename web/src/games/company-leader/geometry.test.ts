import { expect, it } from 'vitest';
import type { CompanyLeaderSheet } from '../../generated/protocol';
import { ahead, bearing, centre, layout, size, towards } from './geometry';

const fields = Object.fromEntries([[0, 0], [1, 0], [0, 1], [-1, 1], [0, -1], [1, -1], [-1, 0]].map(([q, r]) => [`${q},${r}`, { q, r }]));
const sheet = { orientation: 'flat', fields } as unknown as CompanyLeaderSheet;

it('facings point at the neighbour of that name', () => {
  const wide = size * Math.sqrt(3);
  const neighbours = { flat: { n: [0, -1], ne: [1, -1], se: [1, 0], s: [0, 1], sw: [-1, 1], nw: [-1, 0] }, pointy: { nw: [0, -1], ne: [1, -1], e: [1, 0], se: [0, 1], sw: [-1, 1], w: [-1, 0] } } as const;
  for (const orientation of ['flat', 'pointy'] as const) {
    for (const [facing, [q, r]] of Object.entries(neighbours[orientation])) {
      const there = centre(q, r, orientation);
      const shown = ahead({ x: 0, y: 0 }, facing, orientation, wide);
      expect([shown.x, shown.y].map((value) => Math.round(value) + 0), `${orientation} ${facing} ${bearing(facing, orientation)}`).toEqual([there.x, there.y].map((value) => Math.round(value) + 0));
    }
  }
});
it('arrow keys reach the nearest field in that direction, and stay at the edge', () => {
  const { places } = layout(sheet);
  expect(towards(places, '0,0', 0, -1)).toBe('0,-1');
  expect(towards(places, '0,0', 0, 1)).toBe('0,1');
  expect(['1,0', '1,-1']).toContain(towards(places, '0,0', 1, 0));
  expect(towards(places, '0,-1', 0, -1)).toBe('0,-1');
});
