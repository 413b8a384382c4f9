// Learning and studying: the guided first turn, hints, the rules, a replay given to others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseAny, House, orders, ownTurn, placeAll, surrender } from './house';

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
