// Learning and studying: the guided first turn, hints, the rules, a replay given to others.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForHint, chooseAny, House, orders, ownTurn, placeAll, surrender } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

const goOn = /^(\d )?(Let |Play no|End |Cease|Accept|Hold nobody|Place the rest|Ready|Buy nothing|Hold fire|Stay here|Leave no more|Pass)/;

describe.each([
  [0, 'Company Commander', 'Your company stands at the bottom', 'Place the squads you have drawn'],
  [1, 'Company Leader', 'Most of what you see are dummies', 'Place your troops on fields'],
] as const)('game %i', (game, name, start, second) => {
  it(`the guided first turn of ${name} leads to its last panel`, async () => {
    const { page, problems } = await house.visit();
    await page.getByRole('button', { name: 'Guided first turn' }).nth(game).click();
    const coach = page.locator('.coach');
    await coach.waitFor();
    const panels: string[] = [];
    const until = Date.now() + 200_000;
    while (!panels.at(-1)?.startsWith('That was a whole round')) {
      if (Date.now() > until) throw new Error(`the lesson does not end; it said: ${panels.join('\n')}`);
      if (await coach.isVisible()) {
        const said = await coach.locator('p').innerText({ timeout: 1000 }).catch(() => '');
        // The computer plays on, and another panel may come before the click; then this one comes again.
        const read = await coach.filter({ hasText: said.split('\n')[0]! }).getByRole('button').click({ timeout: 1000 }).then(() => true, () => false);
        if (said && read) panels.push(said);
      } else if (!(await chooseAny(page, goOn))) {
        await page.waitForTimeout(40);
      }
    }
    expect(panels[0]).toContain(start);
    expect(panels[1]).toContain(second);
    expect(new Set(panels).size).toBe(panels.length);
    // It is the last of the turn, and said once; only what is new is explained after it.
    await expect.poll(() => coach.filter({ hasText: 'That was a whole round' }).count()).toBe(0);
    expect(panels).not.toContain(await coach.locator('p').innerText({ timeout: 500 }).catch(() => ''));
    expect(problems).toEqual([]);
  });
});

it('a hint says what the computer would do, and does it at one click', async () => {
  const { page, problems } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await expect.poll(() => page.locator('.waiting .unit.lit').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Hint' }).click();
  const analysis = page.getByRole('region', { name: 'What the computer considered' });
  const said = /^The computer would do this: (.+)$/.exec((await analysis.locator('.says span').innerText()).trim())![1]!;
  // It stands first of what was considered.
  expect(await analysis.locator('tbody th').first().innerText()).toBe(said);
  expect(await analysis.locator('tbody td').nth(1).innerText()).toMatch(/^\d+%$/);
  // It is one of our choices, and marked as suggested among them.
  await orders(page).locator('summary').click();
  expect((await orders(page).locator('button.suggested').innerText()).replace(/\s*suggested$/, '')).toBe(said);
  const waiting = await page.locator('.waiting .unit').count();
  const log = await page.locator('.log li').count();
  await analysis.getByRole('button', { name: 'Do that' }).click();
  await expect.poll(() => analysis.count()).toBe(0);
  await expect.poll(async () => (await page.locator('.waiting .unit').count()) < waiting || (await page.locator('.log li').count()) > log).toBe(true);
  expect(await orders(page).locator('button.suggested').count()).toBe(0);
  expect(problems).toEqual([]);
});

// What is ringed on the board, as kinds and ids in alphabetical order.
const ringed = (page: Page) => page.locator('[data-thing].suggested').evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-thing')!))].sort());
const advised = (page: Page) => page.getByRole('region', { name: 'What the computer considered' });
async function askForAdvice(page: Page, game: number): Promise<void> {
  await page.getByRole('button', { name: 'Play now' }).nth(game).click();
  await expect.poll(() => page.locator('[data-thing].lit').count()).toBeGreaterThan(0);
  expect(await ringed(page)).toEqual([]);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await askForHint(page);
}
// The things of "Deploy the unit on the front" or "Place the piece on the field", as the board calls them.
async function named(page: Page, said: string): Promise<string[]> {
  const [, what, where] = /^(?:The computer would do this: )?(?:Deploy|Place) (.+) on (?:the )?(\S+)$/.exec(said.trim()) ?? [];
  if (!where) return [];  // such as "Place the rest for me"
  const things = page.locator(':is(.waiting [data-thing^="unit:"], .tray [data-thing^="piece:"])');
  const ids = await things.evaluateAll((all, name) => all.filter((one) => (one.querySelector('.name') ?? one).textContent!.replace(/suggested|looked at|×.*/g, '').trim() === name).map((one) => one.getAttribute('data-thing')!), what!);
  return [(await page.locator(`[data-thing="field:${where}"]`).count()) ? `field:${where}` : `front:${where}`, ...ids.slice(0, 1)].sort();
}

describe.each([
  [0, 'Company Commander'],
  [1, 'Company Leader'],
] as const)('the hint of game %i', (game, name) => {
  it(`is ringed on the board of ${name}, the choice of it that is looked at instead, and nothing when it is closed`, async () => {
    const { page, problems } = await house.visit();
    await askForAdvice(page, game);
    const first = await named(page, await advised(page).locator('.says span').innerText());
    expect(await ringed(page)).toEqual(first);
    // Dashes, not only a colour; and said to whoever does not see them.
    for (const thing of first) {
      const one = page.locator(`[data-thing="${thing}"]`);
      if (thing.startsWith('field:')) {
        const ring = page.locator('.suggestion .dashes');
        expect(await ring.count()).toBe(1);
        expect(await ring.evaluate((element) => getComputedStyle(element).strokeDasharray)).not.toBe('none');
        const middle = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => [Math.round(x + width / 2), Math.round(y + height / 2)];
        expect(middle((await ring.boundingBox())!)).toEqual(middle((await one.boundingBox())!));
      } else {
        expect(await one.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('dashed');
      }
      expect(await page.getByRole('button', { name: /suggested/ }).and(one).count()).toBe(1);
    }
    const choices = advised(page).locator('tbody th button');
    const marked = () => advised(page).locator('tbody th button[aria-pressed="true"]').allInnerTexts();
    const texts = await choices.allInnerTexts();
    expect(await marked()).toEqual(texts.slice(0, 1));
    // By mouse and by keyboard.
    await choices.nth(1).hover();
    await expect.poll(marked).toEqual(texts.slice(1, 2));
    expect(await ringed(page)).toEqual(await named(page, texts[1]!));
    await page.mouse.move(2, 2);
    await expect.poll(() => ringed(page)).toEqual(first);
    await choices.last().focus();
    await expect.poll(() => ringed(page)).toEqual(await named(page, texts.at(-1)!));
    await advised(page).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => ringed(page)).toEqual([]);
    expect(await page.locator('.suggestion').count()).toBe(0);
    // Nor does it outlast the moment that it was given for.
    await page.getByRole('button', { name: 'Hint' }).click();
    await expect.poll(() => ringed(page)).not.toEqual([]);
    await orders(page).locator('summary').click();
    await orders(page).locator('.long button:not(.suggested)').first().click();
    await expect.poll(() => advised(page).count()).toBe(0);
    expect(await ringed(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it(`leaves the board of ${name} in sight on a telephone, and the rest of it is one disclosure away`, async () => {
    const height = 844;
    const { page, problems } = await house.visit({ viewport: { width: 390, height }, hasTouch: true });
    await askForAdvice(page, game);
    const sheet = page.locator('.orders').first();
    const top = async () => (await sheet.boundingBox())!.y;
    expect(await top()).toBeGreaterThan(height * 0.6);
    expect(await advised(page).locator('.says').innerText()).toMatch(/Chance \d+%/);
    expect(await advised(page).getByRole('button', { name: 'Do that' }).isVisible()).toBe(true);
    expect(await advised(page).locator(':is(table, .note):visible').count()).toBe(0);
    const boxes = () => page.locator('[data-thing].suggested').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom, left, right }) => ({ top, bottom, left, right })));
    const inSight = async () => {
      const end = await top();
      const all = await boxes();
      return all.length > 1 && all.every(({ top, bottom, left, right }) => top >= 0 && bottom <= end && left >= 0 && right <= 390);
    };
    await expect.poll(inSight).toBe(true);
    await advised(page).locator('summary').tap();
    await advised(page).locator('.note').waitFor();
    const choice = advised(page).locator('tbody th button').nth(1);
    await choice.tap();
    expect(await choice.getAttribute('aria-pressed')).toBe('true');
    expect(await ringed(page)).toEqual(await named(page, await choice.innerText()));
    // What only screen readers are told widens no page, wherever in its row a thing lies.
    expect(await page.locator('[data-thing].suggested .unseen').evaluateAll((all) => all.filter((one) => !(one as HTMLElement).offsetParent?.matches('[data-thing]')).length)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // There is less room now: the last of them is in it, for a field or a card is what the others lead to.
    await expect.poll(async () => {
      const end = await top();
      return (await boxes()).some(({ top, bottom }) => top >= 0 && bottom <= end);
    }).toBe(true);
    expect(problems).toEqual([]);
  });
});

it('the names of the fields have a rim of paper and can be read at 1280 pixels', async () => {
  const { page } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).nth(1).click();
  const name = page.locator('.field text').first();
  await name.waitFor();
  const look = await name.evaluate((text: SVGTextElement) => {
    const { paintOrder, stroke, strokeWidth, fontSize } = getComputedStyle(text);
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--paper)';
    return { paintOrder, stroke, paper: getComputedStyle(probe).color, rim: parseFloat(strokeWidth), size: parseFloat(fontSize) * text.getScreenCTM()!.a };
  });
  expect(look.stroke).toBe(look.paper);
  expect(look.paintOrder).toMatch(/^stroke/);
  expect(look.rim).toBeGreaterThan(1);
  expect(look.size).toBeGreaterThan(8);
});

it('the rules are searched, in English and in Japanese', async () => {
  const { page } = await house.visit();
  await page.goto(`${house.address}/#/rules/company-leader`);
  const chapters = page.locator('.chapters section');
  await chapters.first().waitFor();
  const all = await chapters.count();
  await page.getByLabel('Search the rules').fill('DUMMIES leave');
  await expect.poll(() => chapters.count()).toBeLessThan(all);
  const found = await chapters.allInnerTexts();
  expect(found.length).toBeGreaterThan(0);
  for (const chapter of found) expect(chapter.toLowerCase()).toMatch(/(?=.*dummies)(?=.*leave)/s);
  expect(await page.getByRole('navigation', { name: 'Contents' }).getByRole('listitem').count()).toBe(found.length);
  await page.getByLabel('Search the rules').fill('submarine');
  await page.getByText('No chapter has these words.').waitFor();

  const { page: japanese } = await house.visit({ locale: 'ja' });
  await japanese.goto(`${house.address}/#/rules/company-leader`);
  await japanese.locator('.chapters section').first().waitFor();
  await japanese.getByRole('searchbox').fill('コイン');
  await expect.poll(() => japanese.locator('.chapters section').count()).toBeLessThan(all);
  for (const chapter of await japanese.locator('.chapters section').allInnerTexts()) expect(chapter).toContain('コイン');
});

it('the link of a replay shows somebody else the same moment through the same eyes', async () => {
  const { page } = await house.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Play now' }).nth(1).click();
  await placeAll(page);
  await surrender(page);
  await page.getByRole('link', { name: 'Replay and luck report' }).click();
  const slider = page.getByRole('slider');
  await slider.waitFor();
  await page.getByLabel('Seen by').selectOption('blue');
  await page.getByRole('button', { name: 'To the beginning' }).click();
  for (let steps = 0; steps < 3; ++steps) await page.getByRole('button', { name: 'One step on' }).click();
  await expect.poll(() => page.url()).toMatch(/viewer=blue&at=3$/);
  await page.getByRole('button', { name: 'Copy the link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const { page: other, problems } = await house.visit();
  await other.goto(link);
  await other.getByRole('slider').waitFor();
  expect(await other.getByRole('slider').inputValue()).toBe('3');
  expect(await other.getByLabel('Seen by').inputValue()).toBe('blue');
  expect(await other.locator('.log').innerText()).toBe(await page.locator('.log').innerText());
  expect(problems).toEqual([]);
});

it('whoever comes to a game that goes on from a record is told that its secrets are known: in the lobby, before it begins and at the table', async () => {
  const { page } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).nth(1).click();
  await placeAll(page);
  await ownTurn(page, () => chooseAny(page));
  const known = 'The secrets of this game are known: somebody has read its whole record, or it goes on from one.';
  expect(await page.getByText(known).count()).toBe(0);
  const record = await (await page.request.get(`${house.address}/api/tables/${page.url().split('/').at(-1)}/record`)).text();
  await page.getByText(known).waitFor();
  const opened = await page.request.post(`${house.address}/api/tables/open`, {
    data: { record, title: 'Where were we?', visibility: 'public', seats: [{ seat: 'red', kind: 'me' }, { seat: 'blue', kind: 'open' }] },
  });
  expect(opened.ok(), await opened.text()).toBe(true);

  const { page: other, problems } = await house.visit();
  await other.goto(`${house.address}/#/lobby`);
  const listed = other.getByRole('link', { name: /Where were we/ });
  await expect.poll(() => listed.innerText()).toContain('The secrets of this game are known to somebody.');
  await listed.click();
  await other.getByText(known).waitFor();
  await other.getByRole('button', { name: 'Sit here' }).click();
  await orders(other).waitFor();
  await other.getByText(known).waitFor();
  expect(problems).toEqual([]);
});
