import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Hint } from '../generated/protocol';
import { words } from '../test-sheet';
import { language } from '../text/language.svelte';
import Analysis from './Analysis.svelte';
import { Choice } from './choice.svelte';
import type { Sitting } from './sitting.svelte';

beforeAll(() => language.use('en'));
let shown: object | undefined;
afterEach(() => void (shown && unmount(shown)));

function show(considered: Hint['considered'], folded = false): Choice {
  const sitting = { words, step: 'recon', busy: false } as unknown as Sitting;
  const hint = { action: { ...considered[0]!.action }, considered } as Hint;
  const choice = new Choice(() => words, () => [], () => undefined, () => undefined, () => hint);
  shown = mount(Analysis, { target: document.body, props: { sitting, hint, choice, folded, unfolded: () => undefined, take: () => undefined, close: () => undefined } });
  flushSync();
  return choice;
}
function rows(considered: Hint['considered']): string[][] {
  show(considered);
  return [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent.trim()));
}
const recon = (unit: string) => ({ do: 'recon', unit });

it('tells of each choice what follows for sure and what may follow, in the given order', () => {
  expect(
    rows([
      { action: recon('rifle-2'), share: 0.6, chance: 0.4, line: [recon('hq'), { do: 'done' }, { do: 'done' }, { do: 'done' }], certain: 2 },
      { action: recon('hq'), share: 0.4, chance: 1, line: [], certain: 0 },
    ]),
  ).toEqual([
    ['Send Rifle Squad 2', '60%', '40%'],
    ['Then: Send HQ → Done'],
    ['Later perhaps: Done'],
    ['Send HQ', '40%', '99%'],
  ]);
});
it('shows the chance of the only choice there was', () => {
  expect(rows([{ action: { do: 'done' }, share: 1, chance: 0.5, line: [], certain: 0 }])).toEqual([['End recon', '100%', '50%']]);
});
it('folded, shows the first choice and its chance, and the rest in one disclosure', () => {
  show([{ action: recon('rifle-2'), share: 0.6, chance: 0.4, line: [], certain: 0 }, { action: recon('hq'), share: 0.4, chance: 0.3, line: [], certain: 0 }], true);
  const rest = document.querySelectorAll('.analysis details:not([open])');
  expect(rest.length).toBe(1);
  expect(document.querySelectorAll('.analysis :is(table, .note)').length).toBe(2);
  expect(rest[0]!.querySelectorAll(':is(table, .note)').length).toBe(2);
  const says = document.querySelector('.says')!.textContent;
  expect(says).toContain('Send Rifle Squad 2');
  expect(says).toContain('Chance 40%');
});
it('suggests the choice that is looked at, and else the first', () => {
  const choice = show([{ action: recon('rifle-2'), share: 0.6, chance: 0.4, line: [], certain: 0 }, { action: recon('hq'), share: 0.4, chance: 0.3, line: [], certain: 0 }]);
  const buttons = [...document.querySelectorAll<HTMLElement>('tbody button')];
  const pressed = () => (flushSync(), buttons.map((button) => button.getAttribute('aria-pressed') === 'true'));
  const suggested = () => ['rifle-2', 'hq'].filter((unit) => choice.suggested('unit', unit));
  expect([suggested(), pressed()]).toEqual([['rifle-2'], [true, false]]);
  buttons[1]!.focus();
  expect([suggested(), pressed()]).toEqual([['hq'], [false, true]]);
  buttons[1]!.blur();
  expect(suggested()).toEqual(['rifle-2']);
  const row = buttons[1]!.closest('tr')!;
  row.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }));
  expect(suggested()).toEqual(['hq']);
  row.dispatchEvent(new MouseEvent('mouseleave'));
  expect(suggested()).toEqual(['rifle-2']);
  expect(choice.ring).toBe('table.suggested');
  // A tap is a click with a pointer that comes and goes; it is kept, also while one looks for it on the board.
  buttons[1]!.focus();
  buttons[1]!.click();
  row.dispatchEvent(new MouseEvent('mouseleave'));
  buttons[1]!.blur();
  expect([suggested(), choice.ring]).toEqual([['hq'], 'table.looked-at']);
  buttons[0]!.click();
  expect([suggested(), choice.ring]).toEqual([['rifle-2'], 'table.suggested']);
});
