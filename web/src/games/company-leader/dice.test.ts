import { mount, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { Event, Sheet } from '../../generated/protocol';
import { words } from '../../test-sheet';
import { Words } from '../../text/words';

// jsdom has no windows that are wide or narrow; the board asks.
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
const { game } = await import('./game');
const { default: LogPanel } = await import('../../table/LogPanel.svelte');

const sheet = { ...words.sheet, dice: { forest: ['-', '-', 'I1', 'I2', 'V1', 'VH'] } } as unknown as Sheet;
const log: Event[] = [
  { event: 'rolled', field: 'c5', terrain: 'forest' },
  { event: 'dice', first: 4, second: 1, third: 6, fourth: 0, fifth: 0, sixth: 0 },
];

it('reads the faces of a roll by the ground it was rolled on', () => {
  expect(game.diceLine(log[1]!, log[0], sheet)).toEqual(['I2', '-', 'VH']);
  expect(game.diceLine(log[0]!, undefined, sheet)).toBe(null);
});
it('shows them as dice in the log', () => {
  const panel = mount(LogPanel, { target: document.body, props: { log, words: new Words(words.catalogue, sheet), folder: game } });
  const dice = [...document.querySelectorAll('[data-line="1"] svg.die')].map((die) => die.getAttribute('aria-label'));
  expect(dice).toEqual(['I2', '0', 'VH']);
  expect(document.querySelectorAll('[data-line="0"] svg').length).toBe(0);
  void unmount(panel);
});
