// What a game brings to the browser: a board that draws a view, and how to read its dice. No rules.
import type { Component } from 'svelte';
import type { Event, Locale, Sheet, View } from '../generated/protocol';
import type { Words } from '../text/words';
import type { Choice } from '../table/choice.svelte';

export interface BoardProps {
  view: View;
  sheet: Sheet;
  words: Words;
  choice: Choice;
  // What has just happened, for a board that shows it.
  fresh?: Event[];
}

// A die that fell: the number or sign on it, and whose it was.
export interface Fallen {
  faces: string[];
  // The event that says what was rolled, where it is not the one with the dice.
  told?: Event;
  seat: string | null;
  // A fair die of this kind shows each of these equally often.
  of: string[];
}

export interface RuleChapter {
  id: string;
  title: string;
  text: string[];
}

export interface GameFolder {
  Board: Component<BoardProps>;
  // What a thing under the pointer is, in full.
  Detail: Component<BoardProps & { thing: { kind: string; id: string } }>;
  // `before` is the event told just before; the state is that of the moment the dice fell.
  fallen(event: Event, before: Event | undefined, sheet: Sheet, state: Record<string, unknown>): Fallen | null;
  // The faces of an event that says nothing but how dice fell; null for any other.
  diceLine(event: Event, before: Event | undefined, sheet: Sheet): string[] | null;
  // The colour of a seat, as CSS says it.
  colour(seat: string, sheet: Sheet): string;
  // How far each side has come, for the end of the game.
  score(view: View, sheet: Sheet, words: Words): { side: string; has: string }[];
  // Events that hurt somebody, for the sound of a hit.
  hits: string[];
  // What a face is worth to whoever rolled it, for the luck report.
  worth(face: string): number;
  rules(locale: Locale): Promise<RuleChapter[]>;
}

const folders: Record<string, () => Promise<{ game: GameFolder }>> = {
  'company-commander': () => import('./company-commander/game'),
  'company-leader': () => import('./company-leader/game'),
};

export const isDrawn = (id: string) => id in folders;

export async function gameFolder(id: string): Promise<GameFolder> {
  const folder = folders[id];
  if (!folder) throw new Error(`no board for ${id}`);
  return (await folder()).game;
}
