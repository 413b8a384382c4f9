// Several people: on the net, at one device, on a line that breaks.
import type { Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAny, House, orders } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

const letGo = /^(\d )?(Let |Play no|End |Cease|Accept|Hold nobody)/;

interface Frame {
  view?: { state: Record<string, unknown>; actions?: unknown };
  log?: { event: string }[];
}
// Everything the server sends to a page.
function wire(page: Page): Frame[] {
  const heard: Frame[] = [];
  page.on('websocket', (socket: WebSocket) => socket.on('framereceived', ({ payload }) => heard.push(JSON.parse(String(payload)) as Frame)));
  return heard;
}

async function together(game: string, other: string): Promise<{ host: Page; guest: Page; toHost: Frame[]; toGuest: Frame[] }> {
  const [{ page: host }, { page: guest }] = [await house.visit(), await house.visit()];
  const [toHost, toGuest] = [wire(host), wire(guest)];
  await host.goto(`${house.address}/#/new/${game}`);
  await host.getByLabel(other).selectOption('invited');
  await host.getByRole('button', { name: 'Set up the table' }).click();
  await guest.goto(await host.getByLabel('Link for your friend').inputValue());
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await Promise.all([orders(host).waitFor(), orders(guest).waitFor()]);
  return { host, guest, toHost, toGuest };
}

it('two browsers play Company Commander, and neither is sent the other’s hand', async () => {
  const { host: us, guest: german, toHost, toGuest } = await together('company-commander', 'German Company');
  const hand = (page: Page) => page.locator('.hand .card').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-thing')?.slice('card:'.length) ?? ''));
  const until = Date.now() + 300_000;
  while ((await hand(us)).length < 2 || (await hand(german)).length < 2) {
    if (Date.now() > until) throw new Error('nobody drew cards');
    await chooseAny(us, letGo);
    await chooseAny(german, letGo);
    await us.waitForTimeout(40);
  }
  // What one may know: the own hand and choices, what lies open, and what was played or discarded.
  const open = new Set(['card-played', 'card-played-front', 'card-played-unit', 'card-discarded']);
  const told = (frames: Frame[]) =>
    frames.map(({ view, log, ...rest }) => {
      const { hand: _, hand_seen: __, discard: ___, ...state } = view?.state ?? {};
      return JSON.stringify({ ...rest, state, log: (log ?? []).filter(({ event }) => !open.has(event) && event !== 'card-drawn') });
    });
  const drawn = (frames: Frame[]) => new Set(frames.flatMap(({ log }) => (log ?? []).filter(({ event }) => event === 'card-drawn').map((event) => (event as unknown as { card: string }).card)));
  for (const [own, others, frames] of [[await hand(us), drawn(toGuest), toGuest], [await hand(german), drawn(toHost), toHost]] as const) {
    expect(own.length).toBeGreaterThan(1);
    const bytes = told(frames);
    expect(own.filter((card) => bytes.some((frame) => frame.includes(`"${card}"`)))).toEqual([]);
    // Nor is a card drawn told to the other side, unless she drew one of the same kind herself.
    expect([...others].every((card) => frames.some(({ view }) => (view?.state.hand as string[] | undefined)?.includes(card)))).toBe(true);
  }

  await us.getByRole('tab', { name: /Chat/ }).click();
  await us.getByLabel('Message').fill('<b>Good luck</b>');
  await us.getByRole('button', { name: 'Send' }).click();
  await german.getByRole('tab', { name: /Chat/ }).click();
  await expect.poll(() => german.getByText('<b>Good luck</b>').count()).toBe(1);
});

it('two browsers set up Company Leader, and neither is sent where the other’s troops stand', async () => {
  const { host, guest, toHost, toGuest } = await together('company-leader', 'Blue');
  for (const page of [host, guest]) {
    await orders(page).getByRole('button', { name: /Place the rest/ }).click();
    await orders(page).getByRole('button', { name: /Ready/ }).click();
  }
  await expect.poll(() => orders(host).innerText()).toMatch(/Your turn|Waiting for Blue/);
  for (const [frames, other] of [[toHost, 'blue'], [toGuest, 'red']] as const) {
    const pieces = frames.flatMap(({ view }) => Object.values((view?.state.fields ?? {}) as Record<string, { owner: string; piece: string; revealed?: boolean }>)).filter(({ owner, revealed }) => owner === other && !revealed);
    expect(pieces.length).toBeGreaterThan(10);
    expect([...new Set(pieces.map(({ piece }) => piece))]).toEqual(['unknown']);
  }
});

it('a broken line in mid-action loses nothing and does nothing twice', async () => {
  const { page } = await house.visit();
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await expect.poll(() => page.locator('.waiting .unit.lit').count()).toBeGreaterThan(0);
  const waiting = await page.locator('.waiting .unit').count();
  await house.stopServer('SIGKILL');
  await page.locator('.waiting .unit.lit').first().click();
  await page.locator('button[data-thing="front:center"]').click();
  await expect.poll(() => page.locator('.broken').count()).toBe(1);
  await house.startServer();
  await expect.poll(() => page.locator('.waiting .unit').count()).toBe(waiting - 1);
  expect(await page.locator('.broken').count()).toBe(0);
});

it('hot-seat: nothing is shown until the next player is ready, then what she missed', async () => {
  const { page, problems } = await house.visit();
  await page.goto(`${house.address}/#/new/company-commander`);
  await page.getByLabel('German Company').selectOption('device');
  await page.getByRole('button', { name: 'Set up the table' }).click();
  const ready = page.getByRole('button', { name: /^I am/ });
  const films: string[] = [];
  const hands = new Map<string, string[]>();
  const until = Date.now() + 300_000;
  while (films.length < 4) {
    if (Date.now() > until) throw new Error(`the device is not handed over: ${await page.locator('main').innerText()}`);
    if (await ready.isVisible()) {
      expect(await page.locator('.card, .unit, .log, .seats').count()).toBe(0);
      const said = await page.locator('main').innerText();
      for (const names of hands.values()) for (const name of names) expect(said).not.toContain(name);
      await ready.click();
      // A short film of what she was allowed to see, which she may skip.
      await page.locator('.recap').waitFor();
      await expect.poll(() => page.locator('.recap li').count()).toBeGreaterThan(0);
      films.push(await page.locator('.recap ul').innerText());
      await page.getByRole('button', { name: 'Skip to now' }).click();
      await orders(page).waitFor();
      const seat = await page.locator('.seat.awaited b').first().innerText();
      hands.set(seat, await page.locator('.hand .card .title').allInnerTexts());
    } else {
      await chooseAny(page, letGo);
      await page.waitForTimeout(60);
    }
  }
  expect(new Set(films).size).toBeGreaterThan(1);
  expect(problems).toEqual([]);
});
