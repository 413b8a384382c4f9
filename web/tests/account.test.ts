// An account from registering to a forgotten password.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { House } from './house';

let house: House;
beforeAll(async () => void (house = await House.open()));
afterAll(() => house?.close());

const who = (page: Page) => page.locator('header .who').innerText();
const send = (page: Page, name: string) => page.locator('form').getByRole('button', { name, exact: true }).click();
async function signIn(page: Page, password: string): Promise<void> {
  await page.goto(`${house.address}/#/sign-in`);
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Password').fill(password);
  await send(page, 'Sign in');
}
async function signOut(page: Page): Promise<void> {
  await page.goto(`${house.address}/#/settings`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => who(page)).toBe('Sign in');
}

it('one registers, confirms, signs out and in, and sets a new password by the mailed link when it is forgotten', async () => {
  const { page, problems } = await house.visit();
  // A guest keeps her games.
  await page.getByRole('button', { name: 'Play now' }).first().click();
  await page.locator('section.orders').waitFor();
  await page.goto(`${house.address}/#/sign-in`);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('a first secret');
  await send(page, 'Register');
  await expect.poll(() => who(page)).toBe('Ada');
  await page.getByRole('heading', { name: 'My games' }).waitFor();

  await page.goto(await house.mailed('confirm'));
  await page.getByText('Thank you, your address is confirmed.').waitFor();
  await signOut(page);
  await page.goto(`${house.address}/#/`);
  await page.locator('.games').waitFor();
  expect(await page.getByRole('heading', { name: 'My games' }).count()).toBe(0);

  await signIn(page, 'not this one');
  await page.getByText('E-mail and password do not match.').waitFor();
  await signIn(page, 'a first secret');
  await expect.poll(() => who(page)).toBe('Ada');
  await page.getByRole('heading', { name: 'My games' }).waitFor();
  await page.reload();
  await expect.poll(() => who(page)).toBe('Ada');
  await signOut(page);

  await page.goto(`${house.address}/#/sign-in`);
  await page.getByRole('button', { name: 'I forgot my password' }).click();
  await page.getByLabel('E-mail').fill('ada@example.org');
  await send(page, 'Send me a link');
  await page.getByText('A mail is on its way').waitFor();
  const link = await house.mailed('reset');
  await page.goto(link);
  await page.getByLabel('New password').fill('a second secret');
  await send(page, 'Set a new password');
  await expect.poll(() => who(page)).toBe('Ada');

  const { page: elsewhere } = await house.visit();
  await signIn(elsewhere, 'a first secret');
  await elsewhere.getByText('E-mail and password do not match.').waitFor();
  await signIn(elsewhere, 'a second secret');
  await expect.poll(() => who(elsewhere)).toBe('Ada');
  // The link was good for once.
  const { page: late } = await house.visit();
  await late.goto(link);
  await late.getByLabel('New password').fill('a third secret');
  await send(late, 'Set a new password');
  await late.getByText('This link is unknown, used or too old.').waitFor();
  expect(problems).toEqual([]);
});
