import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../../../server/test/support/server.ts';
import { launchShell } from './chromium.ts';
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts';

const DIST = fileURLToPath(new URL('../../dist/index.html', import.meta.url));
/** The limit of a wait that hangs, far above what a slow machine takes. */
const WAIT_MS = 60_000;

export interface TestConsole {
  readonly server: TestServer;
  readonly browser: Browser;
  /** The network between browser and server. */
  readonly network: NetworkProxy;
  /** A context with its own storage and session, of the shared browser unless another is given. */
  newContext(
    options?: Parameters<Browser['newContext']>[0],
    other?: Browser,
  ): Promise<BrowserContext>;
  /** The errors in the browser's console. */
  readonly browserErrors: string[];
  stop(): Promise<void>;
}

/** A real server with the built console, and a real browser. */
export async function startConsole(options: TestServerOptions = {}): Promise<TestConsole> {
  if (!existsSync(DIST)) throw new Error('The console is not built: run npm run build.');
  const server = await startServer(options);
  const network = await startNetworkProxy(server.url);
  const browser = await launchShell();
  const browserErrors: string[] = [];
  return {
    server,
    browser,
    network,
    browserErrors,
    async newContext(options = {}, other = browser) {
      const context = await other.newContext({
        baseURL: network.url,
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        locale: 'en-US',
        // Requests of a service worker cannot be held or refused by a test.
        serviceWorkers: 'block',
        ...options,
      });
      context.setDefaultTimeout(WAIT_MS);
      context.on('weberror', (error) => browserErrors.push(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) {
          browserErrors.push(message.text());
        }
      });
      return context;
    },
    async stop() {
      await browser.close();
      await network.stop();
      await server.stop();
    },
  };
}

/**
 * Browsers log failed requests, and React logs errors that a page handles. Tests that cause them
 * check the page instead.
 */
function isExpected(text: string): boolean {
  return text.startsWith('Failed to load resource') || text.startsWith('ConnectionError');
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  // On a phone the navigation is collapsed, so this waits for a button of the header.
  await page.getByRole('button', { name: 'Account' }).waitFor();
}

/** Goes to an address within the console, without loading it again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path);
}

/** Colours and sizes on their way from one state to another are those of neither. */
export async function settled(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.documentElement.getAttribute('data-mantine-color-scheme') === wanted &&
      !document.getAnimations().some((each) => each instanceof CSSTransition),
    theme,
  );
}
