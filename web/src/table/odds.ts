// Odds as the games give them: chances of named outcomes, what each side of a combat may suffer, and what a look may find.
export interface Odds {
  outcomes?: { is: string; chance: number }[];
  combats?: { front?: string; sides: Record<string, Record<string, number[]>> }[];
  hidden?: { field: string; chance: number }[];
  exact?: boolean;
}

export const hasOdds = (odds: unknown): odds is Odds => typeof odds === 'object' && odds !== null && ('outcomes' in odds || 'combats' in odds || 'hidden' in odds);

const expected = (chances: number[]) => chances.reduce((sum, chance, count) => sum + count * chance, 0);
const any = (chances: number[]) => Math.max(0, 1 - (chances[0] ?? 1));

// For each side and each thing that is counted: the mean, or for losses of whole units the chance of any.
export function combatsOf(odds: Odds) {
  return (odds.combats ?? []).map(({ front, sides }) => ({
    front: front ?? '',
    columns: [...new Set(Object.values(sides).flatMap((side) => Object.keys(side)))],
    sides: Object.entries(sides).map(([seat, side]) => ({
      seat,
      mean: Object.fromEntries(Object.entries(side).map(([counted, chances]) => [counted, expected(chances)])),
      any: Object.fromEntries(Object.entries(side).map(([counted, chances]) => [counted, any(chances)])),
    })),
  }));
}
