// Standing orders to pass, as people think of them.
import type { Sheet, StandingOrder } from '../generated/protocol';

// When passing ends: at a real choice, at the next round, when an assault is declared, or when something happens at the thing of this id.
export type Ending = 'turn' | 'round' | 'assault' | (string & {});

export const knowsAssaults = (sheet: Sheet) => 'assault-declared' in sheet.events;

// `step`: the only question that is passed; empty for all.
export function passUntil(ending: Ending, step: string, round: number, sheet: Sheet): StandingOrder {
  const at = step ? [step] : [];
  if (ending === 'round') return { action: 'pass', at, until: { round: round + 1 } };
  if (ending === 'turn' || (ending === 'assault' && !knowsAssaults(sheet))) return { action: 'pass', at, until: { turn: true } };
  return { action: 'pass', at, until: ending === 'assault' ? { turn: true, events: ['assault-declared'] } : { turn: true, things: [ending] } };
}
