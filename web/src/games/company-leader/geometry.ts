// Where hexes lie on the paper.
import type { CompanyLeaderSheet } from '../../generated/protocol';

export interface Point {
  x: number;
  y: number;
}
export const size = 40;
const root = Math.sqrt(3);

export function centre(q: number, r: number, orientation: 'flat' | 'pointy'): Point {
  return orientation === 'flat' ? { x: size * 1.5 * q, y: size * root * (r + q / 2) } : { x: size * root * (q + r / 2), y: size * 1.5 * r };
}

export function corners(at: Point, orientation: 'flat' | 'pointy', radius = size): string {
  const first = orientation === 'flat' ? 0 : 30;
  return [0, 1, 2, 3, 4, 5]
    .map((corner) => {
      const turn = ((first + 60 * corner) * Math.PI) / 180;
      return `${(at.x + radius * Math.cos(turn)).toFixed(1)},${(at.y + radius * Math.sin(turn)).toFixed(1)}`;
    })
    .join(' ');
}

// Degrees clockwise from north.
const compass: Record<string, number> = { n: 0, ne: 60, e: 90, se: 120, s: 180, sw: 240, w: 270, nw: 300 };
const pointyCompass: Record<string, number> = { ...compass, ne: 30, se: 150, sw: 210, nw: 330 };

export function bearing(facing: string, orientation: 'flat' | 'pointy'): number {
  return (orientation === 'flat' ? compass : pointyCompass)[facing] ?? 0;
}
export function ahead(at: Point, facing: string, orientation: 'flat' | 'pointy', distance: number): Point {
  const turn = (bearing(facing, orientation) * Math.PI) / 180;
  return { x: at.x + distance * Math.sin(turn), y: at.y - distance * Math.cos(turn) };
}

export function layout(sheet: CompanyLeaderSheet): { places: Map<string, Point>; box: string; extent: [[number, number], [number, number]]; shape: number } {
  const places = new Map(Object.entries(sheet.fields).map(([name, field]) => [name, centre(field.q, field.r, sheet.orientation)]));
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - size * 1.15, Math.min(...ys) - size * 1.15];
  const [width, height] = [Math.max(...xs) + size * 1.15 - left, Math.max(...ys) + size * 1.15 - top];
  return { places, box: `${left} ${top} ${width} ${height}`, extent: [[left, top], [left + width, top + height]], shape: width / height };
}

// The field that lies most nearly in a direction of the arrow keys.
export function towards(places: Map<string, Point>, from: string, dx: number, dy: number): string {
  const here = places.get(from);
  if (!here) return from;
  let best = from;
  let least = Infinity;
  for (const [name, { x, y }] of places) {
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const across = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    if (along < 1 || across > along) continue;
    const cost = along + 2 * across;
    if (cost < least) [best, least] = [name, cost];
  }
  return best;
}
