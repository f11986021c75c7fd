import { operations } from '@fieldwatch/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { LocalIssuer } from '../../../server/test/support/issuer.ts';
import { violationsOf } from '../support/axe.ts';
import type { TestConsole } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';

const EMAIL = 'person@example.com';

/** Sign-in at an identity provider, which is broken at the end. */
export function providerStory(filled: () => FilledConsole): void {
  let issuer: LocalIssuer;
  let world: TestConsole;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    ({ issuer, world } = filled());
    const body = { email: EMAIL, name: 'A person', role: 'VIEWER' };
    await world.server.call(operations.createUser, { body });
    context = await world.newContext();
    page = await context.newPage();
  });

  beforeEach(() => {
    issuer.conduct.claims = { email: EMAIL, email_verified: true };
  });

  const leave = () => page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  const goBack = () => page.getByRole('link', { name: 'Back to sign-in' }).click();
  const account = () => page.getByRole('button', { name: 'Account' });

  it('a provider sign-in opens the wanted page, and sign-out ends the session', async () => {
    await page.goto('/devices?search=pump');
    await leave();
    await account().waitFor();
    expect(page.url()).toBe(`${world.network.url}/devices?search=pump`);
    const tab = await context.newPage();
    await Promise.all([page.reload(), tab.goto('/devices')]);
    await tab.getByRole('button', { name: 'Account' }).waitFor();
    await tab.close();
    await account().click();
    await page.getByText('A person').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    const kept = await page.evaluate(() => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    expect(kept.filter((name) => name.startsWith('fieldwatch.'))).toEqual([]);
  });

  it('a provider sign-in keeps the refresh token in an HTTP-only cookie and the access token in memory', async () => {
    await leave();
    await account().waitFor();
    const kept = await page.evaluate(() =>
      [localStorage, sessionStorage].map((one) => ({ ...one })),
    );
    expect(JSON.stringify(kept)).not.toMatch(/token|ey[\w-]{20}/i);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const cookies = await context.cookies(`${world.network.url}/auth/v1/token`);
    expect(cookies).toMatchObject([{ path: '/auth/v1', httpOnly: true, sameSite: 'Strict' }]);
    await account().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor();
    const left = async () =>
      (await context.cookies()).filter(({ name }) => name.startsWith('fieldwatch'));
    await expect.poll(left).toEqual([]);
  });

  it('an unknown user sees their email in the error and a link back to sign-in', async () => {
    issuer.conduct.claims = {
      sub: 'stranger',
      email: 'stranger@example.com',
      email_verified: true,
    };
    await leave();
    await page.getByText('No user has the email stranger@example.com.').waitFor();
    expect((await violationsOf(page)).map(({ id }) => id)).toEqual([]);
    await goBack();
    await page.getByLabel('Email').waitFor();
  });

  it('a refusal by the provider is reported without text from the URL', async () => {
    issuer.conduct.claims = null;
    await leave();
    await page.getByText('The identity provider refused the sign-in.').waitFor();
    expect(await page.getByText('access_denied').count()).toBe(0);
  });

  it('a callback for a sign-in of another tab is refused', async () => {
    const tokens = issuer.hits.filter((url) => url === '/token').length;
    for (const query of ['code=a&state=b', 'error=access_denied&state=b']) {
      await page.goto(`/sign-in?${query}`);
      await page.getByText('was not started in this tab').waitFor();
    }
    expect(issuer.hits.filter((url) => url === '/token').length).toBe(tokens);
  });

  it('a callback is accepted once: going back does not sign in again', async () => {
    const callbacks: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/sign-in?')) callbacks.push(request.url());
    });
    await goBack();
    await leave();
    await account().waitFor();
    await account().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await page.goto(callbacks[0] ?? '');
    await page.getByText('was not started in this tab').waitFor();
  });

  it('an unreachable provider is reported, and sign-in by password stays available', async () => {
    await goBack();
    // The server reads the provider's configuration again after an hour.
    world.server.clock.advance(61 * 60_000);
    issuer.conduct.isBroken = true;
    await leave();
    await page.getByText('The identity provider does not respond.').waitFor();
    await page.getByLabel('Password', { exact: true }).waitFor();
  });
}
