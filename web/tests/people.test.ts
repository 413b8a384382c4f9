import type { Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAny, House, orders } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

// Everything the server sends to a page.
function wire(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket: WebSocket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  return heard;
}

async function invite(host: Page): Promise<string> {
  await host.goto(`${house.address}/#/new/company-commander`);
  await host.getByLabel('German Company').selectOption('invited');
  await host.getByRole('button', { name: 'Set up the table' }).click();
  return host.getByLabel('Link for your friend').inputValue();
}

it('two browsers play online, and neither is sent the other’s hand', async () => {
  const { page: us } = await house.visit();
  const { page: german } = await house.visit();
  const [heardByUs, heardByGerman] = [wire(us), wire(german)];
  await german.goto(await invite(us));
  await german.getByRole('button', { name: 'Accept the invitation' }).click();
  await Promise.all([orders(us).waitFor(), orders(german).waitFor()]);
  // Some turns, until both hold cards.
  const holds = (page: Page) => page.locator('.hand .card').count();
  const until = Date.now() + 120_000;
  while ((await holds(us)) < 2 || (await holds(german)) < 2) {
    if (Date.now() > until) throw new Error('nobody drew cards');
    await chooseAny(us, /^(\d )?(Let |Play no|End |Cease|Accept|Hold nobody)/);
    await chooseAny(german, /^(\d )?(Let |Play no|End |Cease|Accept|Hold nobody)/);
    await us.waitForTimeout(50);
  }
  const hands = (frames: string[]) => {
    const seen = new Set<string>();
    for (const frame of frames) for (const card of (JSON.parse(frame) as { view?: { state?: { hand?: string[] } } }).view?.state?.hand ?? []) seen.add(card);
    return seen;
  };
  const secret = (own: Set<string>, told: string[]) => [...own].filter((card) => told.some((frame) => new RegExp(`"${card}"`).test(frame.replace(/"(discard|actions)":\[[^\]]*\]/g, ''))));
  const now = async (page: Page) => new Set((await page.locator('.hand .card').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-thing')?.slice(5) ?? ''))) as string[]);
  const [usNow, germanNow] = [await now(us), await now(german)];
  expect(hands(heardByUs).size).toBeGreaterThan(1);
  // A card that is in a hand now and was never played cannot have been named to the other side.
  expect(secret(usNow, heardByGerman)).toEqual([]);
  expect(secret(germanNow, heardByUs)).toEqual([]);

  await us.getByRole('tab', { name: /Chat/ }).click();
  await us.getByLabel('Message').fill('<b>Good luck</b>');
  await us.getByRole('button', { name: 'Send' }).click();
  await german.getByRole('tab', { name: /Chat/ }).click();
  await expect.poll(() => german.getByText('<b>Good luck</b>').count()).toBe(1);
});

it('a broken line in mid-action loses nothing and does nothing twice', async () => {
  const { page } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await expect.poll(() => page.locator('.waiting .unit.lit').count(), { timeout: 60_000 }).toBeGreaterThan(0);
  const waiting = await page.locator('.waiting .unit').count();
  await house.stopServer('SIGKILL');
  await page.locator('.waiting .unit.lit').first().click();
  await page.locator('button[data-thing="front:center"]').click();
  await expect.poll(() => page.locator('.broken').count(), { timeout: 20_000 }).toBe(1);
  await house.startServer();
  await expect.poll(() => page.locator('.waiting .unit').count(), { timeout: 30_000 }).toBe(waiting - 1);
  expect(await page.locator('.broken').count()).toBe(0);
});

it('hot-seat: nothing is shown until the next player is ready', async () => {
  const { page } = await house.visit();
  await page.goto(`${house.address}/#/new/company-commander`);
  await page.getByLabel('German Company').selectOption('device');
  await page.getByRole('button', { name: 'Set up the table' }).click();
  for (let turns = 0; turns < 12; ++turns) {
    const ready = page.getByRole('button', { name: /^I am/ });
    await Promise.race([ready.waitFor(), orders(page).waitFor()]);
    if (await ready.isVisible()) {
      expect(await page.locator('.card, .unit').count()).toBe(0);
      await ready.click();
      await orders(page).waitFor();
    }
    await chooseAny(page, /^(\d )?(Let |Play no|Cease|Accept|Hold nobody)/);
    await page.waitForTimeout(150);
  }
});
