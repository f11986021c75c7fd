import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const find = () => EXECUTABLE_PATHS.find((path) => existsSync(path));

/** The system's Chromium; installed where it is missing and the user is root. */
function findChromium(): string {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0) {
    const options = ['install', '-y', '--no-install-recommends', 'chromium'];
    spawnSync('apt-get', ['update'], { stdio: 'ignore' });
    spawnSync('apt-get', options, { stdio: 'ignore' });
  }
  const installed = find();
  if (installed) return installed;
  throw new Error(
    'These tests need Chromium. On Debian or Ubuntu: apt-get install chromium. Elsewhere: install Google Chrome.',
  );
}

export function launchChromium(): Promise<Browser> {
  // Chromium's sandbox does not work for root, and needs namespaces that containers often lack.
  // Where there is no graphics processor, Chromium would rasterize by an emulated one.
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ executablePath: findChromium(), args });
}
