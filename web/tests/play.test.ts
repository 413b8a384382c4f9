import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAny, House, orders, ownTurn, placeAll, playToTheEnd, surrender } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

it('from first visit to first move against the computer in under a minute', async () => {
  const begun = Date.now();
  const { page, problems } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await page.locator('.waiting .unit').first().waitFor({ timeout: 50_000 }).catch(() => undefined);
  await expect.poll(() => page.locator('[data-thing^="unit:"].lit').count(), { timeout: 50_000 }).toBeGreaterThan(0);
  const unit = page.locator('[data-thing^="unit:"].lit').first();
  const name = await unit.getAttribute('data-thing');
  await unit.click();
  await page.locator('button[data-thing="front:left"].lit').click();
  await expect.poll(() => page.locator(`.front [data-thing="${name}"]`).count()).toBe(1);
  expect(Date.now() - begun).toBeLessThan(60_000);
  expect(problems).toEqual([]);
});

it('a click that is refused tells why', async () => {
  const { page } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await expect.poll(() => page.locator('.waiting .unit.lit').count(), { timeout: 50_000 }).toBeGreaterThan(0);
  // A squad that has just been placed may not move on; whatever is not lit says why.
  const squad = await page.locator('.waiting .unit.lit').first().getAttribute('data-thing');
  await page.locator(`[data-thing="${squad}"]`).click();
  await page.locator('button[data-thing="front:center"]').click();
  await expect.poll(() => page.locator(`.front [data-thing="${squad}"]:not(.lit)`).count()).toBe(1);
  await page.locator(`.front [data-thing="${squad}"]`).click();
  await expect.poll(() => page.locator('.said').innerText()).toMatch(/\w{3,} .*\w{3,}/);
  // It goes with the next click that picks something.
  await page.locator('.waiting .unit.lit').first().click();
  await expect.poll(() => page.locator('.said').innerText()).toBe('');
});

it('a whole game of Company Commander is clicked through to its end', async () => {
  const { page, problems } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await orders(page).waitFor();
  await playToTheEnd(page, 330_000, /^(1 |\d )?(Let |Play no|End |Cease|Accept|Hold nobody)/);
  expect(await page.locator('.ending').innerText()).toMatch(/US Company Kills \d+ of 10\s+German Company Kills \d+ of 10/);
  await page.getByRole('link', { name: 'Replay and luck report' }).click();
  await page.getByRole('slider').waitFor();
  await page.getByRole('button', { name: 'Check the dice' }).click();
  await expect.poll(() => page.getByRole('status').allInnerTexts()).toContainEqual(expect.stringMatching(/All dice are right/));
  await page.getByRole('button', { name: 'Luck report' }).click();
  await page.getByRole('heading', { name: 'Luck report' }).waitFor();
  await page.getByRole('button', { name: 'To the beginning' }).click();
  await page.getByRole('button', { name: 'One step on' }).click();
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect.poll(() => page.url()).toMatch(/#\/table\//);
  await orders(page).waitFor();
  expect(problems).toEqual([]);
});

it('a whole game of Company Leader is clicked through to its end', async () => {
  const { page, problems } = await house.visit();
  await page.goto(`${house.address}/#/new/company-leader`);
  await page.getByRole('button', { name: 'Set up the table' }).click();
  await orders(page).waitFor();
  await page.locator('[data-thing^="piece:"].lit').first().click();
  await page.locator('g[data-thing^="field:"].lit').first().click();
  await orders(page).getByRole('button', { name: /Place the rest/ }).click();
  await orders(page).getByRole('button', { name: /Ready/ }).click();
  await ownTurn(page, () => chooseAny(page));
  await playToTheEnd(page, 330_000, /(End your actions|Buy nothing|Ready|Hold fire|Stay here|Leave no more|End this)/);
  // By the rules' own end, not by a limit.
  await expect.poll(() => page.locator('.ending').innerText()).toMatch(/urban fields are decided|no troops left|nothing happened any more/);
  expect(await orders(page).innerText()).toMatch(/wins: |draw: /);
  expect(await page.getByText('on turn').count()).toBe(0);
  // Nothing beside the visible layout lengthens the page: it fills a wide window, and ends with its panels on a telephone.
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(height).toBeLessThanOrEqual(800);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.locator('.log li').last().waitFor();
  expect(await height()).toBeLessThanOrEqual(Math.ceil(await page.locator('.table').evaluate((table) => table.getBoundingClientRect().bottom + scrollY)));
  expect(problems).toEqual([]);
});

it('on a telephone the end of the game comes into sight, and the bar below says who won', async () => {
  const { page, problems } = await house.visit({ viewport: { width: 390, height: 844 } });
  await page.getByRole('button', { name: 'Play now' }).nth(1).click();
  await orders(page).waitFor();
  expect(await page.getByText('on turn').count()).toBe(0);
  await placeAll(page);
  await ownTurn(page, () => chooseAny(page));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await surrender(page);
  const ending = () => page.locator('.ending').evaluate((panel) => [panel.getBoundingClientRect().top >= 0, panel.getBoundingClientRect().bottom < innerHeight]);
  await expect.poll(ending).toEqual([true, true]);
  expect(await orders(page).innerText()).toContain('Blue wins: ');
  expect(problems).toEqual([]);
});
