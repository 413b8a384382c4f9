import type { Event, Locale, Sheet, View } from '../../generated/protocol';
import type { Words } from '../../text/words';
import { rulesOf } from '../rules';
import type { Fallen, GameFolder } from '../game';
import Board from './Board.svelte';
import Detail from './Detail.svelte';
import { sheetOf, stateOf, type LeaderState } from './state';

const chapters: Record<Locale, () => Promise<{ default: object }>> = {
  en: () => import('./rules/en.toml'),
  de: () => import('./rules/de.toml'),
  ja: () => import('./rules/ja.toml'),
};

// A roll is told first ("rolled": by whom, on what ground), its dice in the event after it.
function diceLine(event: Event, before: Event | undefined, anySheet: Sheet): string[] | null {
  if (event.event !== 'dice' || before?.event !== 'rolled') return null;
  const of = sheetOf(anySheet).dice[String(before.terrain)] ?? [];
  return [event.first, event.second, event.third, event.fourth, event.fifth, event.sixth].filter((face) => typeof face === 'number' && face > 0).map((face) => of[Number(face) - 1] ?? '-');
}

function fallen(event: Event, before: Event | undefined, anySheet: Sheet, state: Record<string, unknown>): Fallen | null {
  const faces = diceLine(event, before, anySheet);
  if (!faces || !before) return null;
  const of = sheetOf(anySheet).dice[String(before.terrain)] ?? [];
  return { faces, seat: (state as unknown as LeaderState).fields[String(before.field)]?.owner ?? null, of, told: before };
}

const faceHits: Record<string, number> = { '-': 0, I1: 1, I2: 2, IH: 0.5, V1: 1, V2: 2, VH: 0.5 };

function score(view: View, sheet: Sheet, words: Words) {
  const { sides } = stateOf(view);
  return sheetOf(sheet).sides.map(({ team }) => ({ side: team, has: `${words.say('view.urban')} ${sides[team]?.urban ?? 0}` }));
}

export const game: GameFolder = { Board, Detail, fallen, diceLine, score, hits: ['damaged', 'destroyed'], colour: (seat) => `var(--seat-${seat})`, worth: (face) => faceHits[face] ?? 0, rules: (locale) => rulesOf(chapters[locale]) };
