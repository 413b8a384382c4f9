import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { House, orders } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }).axe.run();
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')}`);
  });
}
async function atTable(page: Page, game: number): Promise<void> {
  await page.goto(`${house.address}/#/`);
  await page.locator('.games .primary').nth(game).click();
  await orders(page).waitFor();
}
const pages = ['', 'lobby', 'new/company-commander', 'rules/company-commander', 'rules/company-leader', 'settings', 'sign-in'];

describe.each(['dark', 'light'] as const)('in %s colours', (colorScheme) => {
  it('axe finds nothing serious on any page', async () => {
    const { page } = await house.visit({ colorScheme });
    for (const path of pages) {
      await page.goto(`${house.address}/#/${path}`);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(300);
      expect([path, ...(await violations(page))]).toEqual([path]);
    }
    for (const game of [0, 1]) {
      await atTable(page, game);
      await page.waitForTimeout(500);
      expect(await violations(page)).toEqual([]);
    }
  });
});

describe.each(['en', 'de', 'ja'])('in %s', (locale) => {
  it('every page is at home in the language and fits 360 pixels', async () => {
    const { page, problems } = await house.visit({ locale, viewport: { width: 360, height: 740 } });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
    const bare = /\b(page|home|table|new|lobby|rules|settings|account|replay|error|view|action|event|prompt|seat|unit|card)\.[a-z-]+\b/;
    const look = async (name: string) => {
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 360]);
      expect([name, bare.exec(await page.locator('body').innerText())?.[0]]).toEqual([name, undefined]);
    };
    for (const path of pages) {
      await page.goto(`${house.address}/#/${path}`);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(300);
      await look(path);
    }
    for (const game of [0, 1]) {
      await atTable(page, game);
      await look(`table ${game}`);
    }
    expect(problems).toEqual([]);
  });
});

it('a squad is deployed with the keyboard alone', async () => {
  const { page } = await house.visit();
  const tabTo = async (test: string) => {
    for (let i = 0; i < 150; ++i) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, test)) return;
    }
    throw new Error(`the keyboard does not reach ${test}`);
  };
  await page.locator('.games').waitFor();
  await tabTo('.games .primary');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.waiting .unit.lit').count(), { timeout: 60_000 }).toBeGreaterThan(0);
  const before = await page.locator('.waiting .unit').count();
  await tabTo('.waiting .unit.lit');
  await page.keyboard.press('Enter');
  await tabTo('button[data-thing^="front:"].lit');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.waiting .unit').count()).toBe(before - 1);
});

it('the first load is light and quick', async () => {
  const { page } = await house.visit();
  await page.reload();
  await page.locator('.games').waitFor();
  const { bytes, interactive } = await page.evaluate(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[];
    return { bytes: all.reduce((sum, entry) => sum + entry.encodedBodySize, 0), interactive: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domInteractive };
  });
  expect(bytes).toBeLessThan(400 * 1024);
  expect(interactive).toBeLessThan(1000);
  console.log(`first load: ${(bytes / 1024).toFixed(0)} KiB, interactive after ${interactive.toFixed(0)} ms`);
});
