import type { Event, Locale, Sheet, View } from '../../generated/protocol';
import type { Words } from '../../text/words';
import { rulesOf } from '../rules';
import type { Fallen, GameFolder } from '../game';
import Board from './Board.svelte';
import Detail from './Detail.svelte';
import { sheetOf, sideNumber, stateOf, type CommanderState } from './state';

const die = ['1', '2', '3', '4', '5', '6'];
const chapters: Record<Locale, () => Promise<{ default: object }>> = {
  en: () => import('./rules/en.toml'),
  de: () => import('./rules/de.toml'),
  ja: () => import('./rules/ja.toml'),
};

// Fire falls on whom it is rolled for, so these rolls are counted to the other side.
const againstUnit = new Set(['spotted-roll']);

function fallen(event: Event, _: Event | undefined, anySheet: Sheet, state: Record<string, unknown>): Fallen | null {
  const sheet = sheetOf(anySheet);
  const { active } = state as unknown as CommanderState;
  const other = (seat: string) => sheet.seats.find(({ id }) => id !== seat)?.id ?? null;
  const faces = [event.die, event.first, event.second].filter((face) => typeof face === 'number').map(String);
  if (faces.length === 0) return null;
  const owner = typeof event.unit === 'string' ? (sheet.units[event.unit]?.seat ?? null) : null;
  const seat = event.event === 'mine-roll' ? other(active) : owner === null ? active : againstUnit.has(event.event) ? other(owner) : owner;
  return { faces, seat, of: die };
}

const colour = (seat: string, sheet: Sheet) => `var(--side-${sideNumber(seat, sheetOf(sheet))})`;

function score(view: View, sheet: Sheet, words: Words) {
  const [{ kills }, { seats, figures }] = [stateOf(view), sheetOf(sheet)];
  return seats.map(({ id }) => ({ side: id, has: `${words.say('view.kills-title')} ${words.say('view.kills', { count: kills[id] ?? 0, goal: figures.kills_to_win ?? 0 })}` }));
}

export const game: GameFolder = { Board, Detail, fallen, diceLine: () => null, colour, score, hits: ['pinned', 'casualty', 'destroyed', 'routed'], worth: Number, rules: (locale) => rulesOf(chapters[locale]) };
