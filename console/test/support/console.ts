import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../../../server/test/support/server.ts';
import { launchChromium } from './chromium.ts';
import { type Line, startLine } from './line.ts';

const DIST = fileURLToPath(new URL('../../dist/index.html', import.meta.url));
const WAIT_MS = 15_000;

export interface TestConsole {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Between the two. */
  readonly line: Line;
  /** A browser of its own: other storage, other session. */
  newContext(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  /** What pages have complained of. */
  readonly complaints: string[];
  stop(): Promise<void>;
}

/** The real server with the built console, and a real browser. */
export async function startConsole(options: TestServerOptions = {}): Promise<TestConsole> {
  if (!existsSync(DIST)) throw new Error('The console is not built: run npm run build.');
  const server = await startServer(options);
  const line = await startLine(server.url);
  const browser = await launchChromium();
  const complaints: string[] = [];
  return {
    server,
    browser,
    line,
    complaints,
    async newContext(options = {}) {
      const context = await browser.newContext({
        baseURL: line.url,
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(WAIT_MS);
      context.on('weberror', (error) => complaints.push(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) {
          complaints.push(message.text());
        }
      });
      return context;
    },
    async stop() {
      await browser.close();
      await line.stop();
      await server.stop();
    },
  };
}

/**
 * A browser reports refused and failed requests by itself, and React what a page shows in place of a
 * script that could not be had; tests that cause them look at the page.
 */
function isExpected(text: string): boolean {
  return text.startsWith('Failed to load resource') || text.startsWith('ConnectionError');
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // On a phone the navigation is folded away; its button is there instead.
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

/** Goes to an address within the console, without loading it again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path);
}
