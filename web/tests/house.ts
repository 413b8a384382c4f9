// A real server on a free port with an empty database, and a real browser. BATON_PROGRAM names the program, CHROMIUM the browser.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { expect } from 'vitest';

export const root = join(import.meta.dirname, '../..');
const program = process.env.BATON_PROGRAM ?? join(root, 'build/release/baton');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export class House {
  readonly said: string[] = [];
  #server: ChildProcess | null = null;
  #folder = mkdtempSync(join(tmpdir(), 'baton-browser-'));
  #browser: Browser | null = null;
  #port = 0;

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  static async open(): Promise<House> {
    for (const path of [program, browserPath, join(root, 'build/web/index.html')]) if (!existsSync(path)) throw new Error(`${path} is missing; build it first`);
    const house = new House();
    house.#port = await freePort();
    await house.startServer();
    house.#browser = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    return house;
  }
  async startServer(): Promise<void> {
    const server = spawn(program, ['serve', '--port', String(this.#port), '--data', this.#folder, '--web', join(root, 'build/web'), '--bot-pause', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#server = server;
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text: Buffer) => this.said.push(text.toString()));
    const until = Date.now() + 60_000;
    while (!(await fetch(`${this.address}/healthz`).then((answer) => answer.ok, () => false))) {
      if (Date.now() > until || server.exitCode !== null) throw new Error(`the server did not start:\n${this.said.join('')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  async stopServer(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }
  // The last link of a kind that would have been mailed: without a mail server they stand in the log.
  async mailed(kind: 'confirm' | 'reset'): Promise<string> {
    const links = () => [...this.said.join('').matchAll(new RegExp(`#/${kind}/[\\w-]+`, 'g'))];
    for (const until = Date.now() + 20_000; links().length === 0 && Date.now() < until; ) await new Promise((resolve) => setTimeout(resolve, 50));
    return `${this.address}/${links().at(-1)?.[0] ?? ''}`;
  }
  async close(): Promise<void> {
    await this.#browser?.close();
    await this.stopServer();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  // A person of her own: cookies, language, window. What goes wrong in the page fails the test.
  async visit(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const context = await this.#browser!.newContext({ locale: 'en', viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource|WebSocket/.test(message.text())) problems.push(message.text());
    });
    await page.goto(this.address);
    return { page, problems };
  }
}

export const orders = (page: Page) => page.getByRole('region', { name: /Your choice|Deine Entscheidung|あなたの選択/ });

// One choice: what is preferred if it is there, else one of the buttons in the panel, each in its turn.
let turn = 0;
export async function chooseAny(page: Page, prefer: RegExp | null = null): Promise<boolean> {
  const panel = orders(page);
  const closed = panel.locator('details:not([open]) > summary').first();
  if (await closed.isVisible().catch(() => false)) await closed.click({ timeout: 1000 }).catch(() => undefined);
  if (prefer) {
    const wanted = panel.getByRole('button', { name: prefer }).first();
    if (await wanted.isVisible().catch(() => false)) {
      await wanted.click({ timeout: 2000 }).catch(() => undefined);
      return true;
    }
  }
  const buttons = panel.locator('.list button:enabled');
  const count = await buttons.count();
  if (count === 0) return false;
  turn += 7;
  await buttons.nth(turn % count).click({ timeout: 2000 }).catch(() => undefined);
  return true;
}

// A hint is for the moment it was asked at: if the game goes on meanwhile, another is asked for. The page stays as it is scrolled.
export async function askForHint(page: Page): Promise<void> {
  const asked = async () => {
    await page.locator('#hint:enabled').evaluate((button: HTMLButtonElement) => button.click(), undefined, { timeout: 1000 }).catch(() => undefined);
    return page.locator('.analysis').waitFor({ timeout: 5000 }).then(() => true, () => false);
  };
  await expect.poll(asked, { timeout: 60_000 }).toBe(true);
}
// Company Leader: the troops are placed by the computer.
export async function placeAll(page: Page): Promise<void> {
  await orders(page).getByRole('button', { name: /Place the rest/ }).click();
  await orders(page).getByRole('button', { name: /Ready/ }).click();
}
// Company Leader, when all is placed: the computer may begin, and what it reveals of ours on its way asks us something first.
export async function ownTurn(page: Page, answer: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => orders(page).innerText()).not.toMatch(/Place your troops/);
  const asked = async () => {
    const text = await orders(page).innerText();
    if (!/Your turn/.test(text)) await answer();
    return text;
  };
  await expect.poll(asked, { timeout: 60_000, interval: 120 }).toMatch(/Your turn/);
}
// Company Leader: gives up when the own turn comes.
export async function surrender(page: Page): Promise<void> {
  const grave = page.locator('.grave button').first();
  await grave.click();
  await grave.click();
  await page.locator('.ending').waitFor();
}

export async function playToTheEnd(page: Page, most: number, prefer: RegExp | null): Promise<void> {
  const ending = page.locator('.ending');
  const until = Date.now() + most;
  let choices = 0;
  while (!(await ending.isVisible())) {
    if (Date.now() > until) throw new Error(`the game did not end; the panel says: ${await orders(page).innerText()}`);
    // Now and then something is done, so that the game is more than passing.
    if (!(await chooseAny(page, choices++ % 3 === 0 ? null : prefer))) await page.waitForTimeout(40);
  }
}
