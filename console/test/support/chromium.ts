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

const ARGS = [
  // Chromium's sandbox does not work for root, and needs namespaces that containers often lack.
  '--no-sandbox',
  // Where there is no graphics processor, Chromium would rasterize by an emulated one.
  '--disable-gpu',
  // A page of a test lives for seconds: scripts run as in the workers of the tests, and pages are
  // drawn without a second process. Together they save a sixth of the processor time.
  '--js-flags=--always-sparkplug --interrupt-budget=1000000',
  '--in-process-gpu',
  '--num-raster-threads=1',
];

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGS });
}
