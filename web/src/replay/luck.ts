// How the dice treated each side: what fell against what was to be expected of fair dice.
import type { Fallen } from '../games/game';

export interface Luck {
  seat: string;
  dice: number;
  mean: number;
  expected: number;
  // Share of equally long series of fair dice that are worse than this one.
  better: number;
  faces: Record<string, number>;
}

// Abramowitz and Stegun 7.1.26: good to seven digits, more than a report needs.
function normal(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const k = 1 / (1 + 0.3275911 * x);
  const tail = k * (0.254829592 + k * (-0.284496736 + k * (1.421413741 + k * (-1.453152027 + k * 1.061405429)))) * Math.exp(-x * x);
  return z < 0 ? tail / 2 : 1 - tail / 2;
}

export function luckOf(rolls: Fallen[], worth: (face: string) => number): Luck[] {
  const seats = new Map<string, { sum: number; expected: number; variance: number; dice: number; faces: Record<string, number> }>();
  for (const { faces, seat, of } of rolls) {
    if (!seat || of.length === 0) continue;
    const so = seats.get(seat) ?? { sum: 0, expected: 0, variance: 0, dice: 0, faces: {} };
    const mean = of.reduce((sum, face) => sum + worth(face), 0) / of.length;
    const variance = of.reduce((sum, face) => sum + (worth(face) - mean) ** 2, 0) / of.length;
    for (const face of faces) {
      so.sum += worth(face);
      so.expected += mean;
      so.variance += variance;
      so.dice += 1;
      so.faces[face] = (so.faces[face] ?? 0) + 1;
    }
    seats.set(seat, so);
  }
  return [...seats].map(([seat, so]) => ({
    seat,
    dice: so.dice,
    mean: so.sum / so.dice,
    expected: so.expected / so.dice,
    better: so.variance > 0 ? normal((so.sum - so.expected) / Math.sqrt(so.variance)) : 0.5,
    faces: so.faces,
  }));
}
