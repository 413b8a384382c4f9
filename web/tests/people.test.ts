// Several people: on the net, at one device, on a line that breaks.
import type { Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAny, House, orders, placeAll, surrender } from './house';

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

async function together(game: string, other: string, visibility = 'private'): Promise<{ host: Page; guest: Page; toHost: Frame[]; toGuest: Frame[] }> {
  const [{ page: host }, { page: guest }] = [await house.visit(), await house.visit()];
  const [toHost, toGuest] = [wire(host), wire(guest)];
  await host.goto(`${house.address}/#/new/${game}`);
  await host.getByLabel(other).selectOption('invited');
  if (visibility !== 'private') {
    await host.locator('summary', { hasText: 'who may watch' }).click();
    await host.getByLabel('Who may see it').selectOption(visibility);
  }
  await host.getByRole('button', { name: 'Set up the table' }).click();
  await guest.goto(await host.getByLabel('Link for your friend').inputValue());
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await Promise.all([orders(host).waitFor(), orders(guest).waitFor()]);
  return { host, guest, toHost, toGuest };
}

it('two browsers play Company Commander, and neither the other nor a spectator is sent a hand', async () => {
  const { host: us, guest: german, toHost, toGuest } = await together('company-commander', 'German Company', 'unlisted');
  const { page: spectator, problems } = await house.visit();
  const toSpectator = wire(spectator);
  await spectator.goto(us.url());
  await spectator.getByText('You are watching.').waitFor();
  await us.getByText('1 spectator').waitFor();
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

  // Whoever watches sees the board as it grows, neither hand, and has nothing to choose.
  const bytes = told(toSpectator);
  const hands = [...(await hand(us)), ...(await hand(german))];
  expect(hands.filter((card) => bytes.some((frame) => frame.includes(`"${card}"`)))).toEqual([]);
  expect(toSpectator.some(({ view }) => ((view?.state.hand as string[] | undefined) ?? []).length > 0)).toBe(false);
  await expect.poll(() => spectator.locator('.front [data-thing^="unit:"]').count()).toBe(await us.locator('.front [data-thing^="unit:"]').count());
  expect(await orders(spectator).locator('.list button').count()).toBe(0);
  expect(await spectator.getByRole('button', { name: /Take back|Hint|Take this seat/ }).count()).toBe(0);
  expect(problems).toEqual([]);

  await us.getByRole('tab', { name: /Chat/ }).click();
  await us.getByLabel('Message').fill('<b>Good luck</b>');
  await us.getByRole('button', { name: 'Send' }).click();
  await german.getByRole('tab', { name: /Chat/ }).click();
  await expect.poll(() => german.getByText('<b>Good luck</b>').count()).toBe(1);
});

it('two browsers set up Company Leader, and neither is sent where the other’s troops stand', async () => {
  const { host, guest, toHost, toGuest } = await together('company-leader', 'Blue');
  await placeAll(host);
  // Until the other is ready too, one may think again.
  await orders(host).getByRole('button', { name: /place again/ }).click();
  await placeAll(host);
  await placeAll(guest);
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

// Whoever is on turn gives up.
async function end(pages: Page[]): Promise<void> {
  const choosing = async () => (await Promise.all(pages.map((page) => page.locator('.grave button').first().isVisible()))).indexOf(true);
  await expect.poll(choosing).toBeGreaterThanOrEqual(0);
  await surrender(pages[await choosing()]!);
  for (const page of pages) await page.locator('.ending').waitFor();
}
const seatOf = (page: Page) => page.evaluate(() => document.querySelector('.seat.mine b')?.textContent ?? '');

it('a rematch is accepted in the notice, from the list of games and at the ended table, or declined', async () => {
  const { host, guest } = await together('company-leader', 'Blue');
  const pages = [host, guest];
  const seats = async () => Promise.all(pages.map(seatOf));
  expect(await seats()).toEqual(['Red', 'Blue']);
  for (const [asks, accepts, way] of [
    [host, guest, 'notice'],
    [guest, host, 'list'],
    [host, guest, 'ending'],
  ] as const) {
    await Promise.all(pages.map(placeAll));
    await end(pages);
    const before = await seats();
    if (way === 'list') await accepts.getByRole('link', { name: /Baton/ }).click();
    await asks.getByRole('button', { name: 'Play again, sides swapped' }).click();
    await asks.getByText('The game begins when every seat is taken.').waitFor();
    if (way === 'notice') {
      await accepts.locator('.notices').getByRole('button', { name: 'Accept' }).click();
    } else if (way === 'list') {
      await accepts.getByRole('link', { name: /A seat is kept for you/ }).click();
      await accepts.getByText('would like to play with you: a seat is kept for you.').waitFor();
      await accepts.getByRole('button', { name: 'Accept the invitation' }).click();
    } else {
      await accepts.getByRole('button', { name: 'Play the rematch' }).click();
    }
    await Promise.all(pages.map((page) => orders(page).getByRole('button', { name: /Place the rest/ }).waitFor()));
    expect(await seats()).toEqual(before.reverse());
  }
  // Whoever does not want to is not asked for ever.
  await Promise.all(pages.map(placeAll));
  await end(pages);
  await guest.getByRole('link', { name: /Baton/ }).click();
  await host.getByRole('button', { name: 'Play again, sides swapped' }).click();
  const invitation = guest.getByRole('link', { name: /A seat is kept for you/ });
  await invitation.click();
  await guest.getByRole('button', { name: 'Decline' }).click();
  await guest.getByRole('heading', { name: 'My games' }).waitFor();
  await expect.poll(() => invitation.count()).toBe(0);
});

it('whoever leaves a private table finds the way back to the seat, and nobody else does', async () => {
  const { host, guest } = await together('company-leader', 'Blue');
  await Promise.all([host, guest].map(placeAll));
  const name = (await guest.locator('header .who').innerText()).trim();
  const blue = host.locator('.seat', { hasText: 'Blue' });
  await expect.poll(() => blue.innerText()).toContain(name);
  await guest.locator('.tools summary', { hasText: 'More' }).click();
  await guest.getByRole('button', { name: 'Leave the table' }).click();
  await guest.locator('.menu .danger').click();
  await expect.poll(() => blue.innerText()).toContain('free; for now the computer (sergeant)');

  const { page: stranger } = await house.visit();
  await stranger.goto(host.url());
  await stranger.getByRole('heading', { name: 'This table is not here' }).waitFor();

  await guest.getByRole('link', { name: /A seat is kept for you/ }).click();
  await guest.getByText('You are watching.').waitFor();
  await guest.getByText('free; for now the computer (sergeant)').last().waitFor();
  await guest.getByRole('button', { name: 'Come back to this seat' }).click();
  await expect.poll(() => seatOf(guest)).toBe('Blue');
  await expect.poll(() => blue.innerText()).toContain(name);
  // The troops are hers again, hidden ones too.
  await expect.poll(() => guest.locator('[data-thing^="field:"]').count()).toBeGreaterThan(0);
  await end([host, guest]);
});

it('an open seat of a running game is offered to whoever watches', async () => {
  const { host, guest } = await together('company-leader', 'Blue', 'public');
  await Promise.all([host, guest].map(placeAll));
  await guest.locator('.tools summary', { hasText: 'More' }).click();
  await guest.getByRole('button', { name: 'Leave the table' }).click();
  await guest.locator('.menu .danger').click();
  const { page: third, problems } = await house.visit();
  await third.goto(host.url());
  await third.getByRole('button', { name: 'Take this seat' }).click();
  await expect.poll(() => seatOf(third)).toBe('Blue');
  const name = (await third.locator('header .who').innerText()).trim();
  await expect.poll(() => host.locator('.seat', { hasText: 'Blue' }).innerText()).toContain(name);
  // Whoever left comes too late.
  await guest.goto(host.url());
  await guest.getByText('You are watching.').waitFor();
  expect(await guest.getByRole('button', { name: /this seat/ }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('the own seat is lent to the computer and taken back', async () => {
  const { host, guest } = await together('company-leader', 'Blue');
  await Promise.all([host, guest].map(placeAll));
  await host.locator('.tools summary', { hasText: 'More' }).click();
  await host.getByRole('button', { name: 'Let the computer play for me' }).click();
  await host.getByLabel('How strong it plays').selectOption('recruit');
  await host.getByRole('button', { name: 'Let the computer play for me' }).click();
  await host.getByText('The computer (recruit) plays for you.').waitFor();
  await expect.poll(() => guest.locator('.seat', { hasText: 'Red' }).innerText()).toContain('for now the computer (recruit)');
  // Red's turns pass without a click of the host's.
  const turns = guest.locator('.log li.heading', { hasText: 'Blue to act' });
  const until = Date.now() + 60_000;
  while ((await turns.count()) < 3) {
    if (Date.now() > until) throw new Error(`the computer does not play: ${await orders(guest).innerText()}`);
    if (!(await chooseAny(guest, /(End your actions|Buy nothing|Hold fire|Stay here|Leave no more|End this)/))) await guest.waitForTimeout(40);
  }
  await host.getByRole('button', { name: 'Take over from the computer' }).click();
  await expect.poll(() => host.getByText('plays for you.').count()).toBe(0);
  await expect.poll(() => guest.locator('.seat', { hasText: 'Red' }).innerText()).not.toContain('computer');
  await end([host, guest]);
});

it('for somebody who is away the others ask for a computer, and see who has asked', async () => {
  const { host, guest } = await together('company-leader', 'Blue');
  await guest.close();
  // Nobody waits for ten minutes in a test: what the server would say then is put into its words here.
  const asked: string[] = [];
  let names: string[] = [];
  await host.routeWebSocket(/\/api\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(String(text)) as { summary?: { seats: Record<string, unknown>[] } };
      const blue = message.summary?.seats.find(({ seat }) => seat === 'blue');
      if (blue) Object.assign(blue, names.length ? { steward_asked_by: names } : { may_ask_steward: true });
      socket.send(JSON.stringify(message));
    });
  });
  await host.route('**/steward', async (route) => {
    asked.push(route.request().postData() ?? '');
    names = ['Ada', 'Bob'];
    await route.fulfill({ json: {} });
  });
  await host.reload();
  await host.getByText(/is away\./).waitFor();
  await host.getByRole('button', { name: 'Ask for a computer to sit in' }).click();
  await expect.poll(() => asked).toEqual(['{"seat":"blue"}']);
  await host.reload();
  await host.getByText('Asked for by Ada, Bob.').waitFor();
  expect(await host.getByRole('button', { name: 'Ask for a computer to sit in' }).count()).toBe(0);
});
