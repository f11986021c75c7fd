import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const BROWSER_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Chromium without windows and notifications, which takes a seventh less of the processor. */
const SHELL_PATH = '/usr/bin/chromium-headless-shell';

/** The system's Chromium, which `npm test` installs on Debian where the user may. */
function findChromium(): string {
  const found = BROWSER_PATHS.find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    'These tests need Chromium. On Debian or Ubuntu: apt-get install chromium. Elsewhere: install Google Chrome.',
  );
}

/** The whole browser, which shows notifications. */
export function launchChromium(): Promise<Browser> {
  return launch(findChromium());
}

/** The headless shell where it is installed, and the whole browser elsewhere. */
export function launchShell(): Promise<Browser> {
  const browser = findChromium();
  return launch(existsSync(SHELL_PATH) ? SHELL_PATH : browser);
}

function launch(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, and needs namespaces that containers often lack.
  // Where there is no graphics processor, Chromium would rasterize by an emulated one.
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ executablePath, args });
}
