import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Hint } from '../generated/protocol';
import { words } from '../test-sheet';
import { language } from '../text/language.svelte';
import Analysis from './Analysis.svelte';
import type { Sitting } from './sitting.svelte';

beforeAll(() => language.use('en'));
let shown: object | undefined;
afterEach(() => void (shown && unmount(shown)));

function rows(considered: Hint['considered']): string[][] {
  const sitting = { words, step: 'recon', busy: false } as unknown as Sitting;
  const hint = { action: considered[0]!.action, considered } as Hint;
  shown = mount(Analysis, { target: document.body, props: { sitting, hint, take: () => undefined, close: () => undefined } });
  flushSync();
  return [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent));
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
