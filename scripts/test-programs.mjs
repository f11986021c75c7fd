// The programs that tests need and that npm does not bring: a browser, and an MQTT broker with its clients.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const LIMIT_MS = 10 * 60_000;
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const APT = ['--option', 'DPkg::Lock::Timeout=300'];
const INSTALL = [...APT, 'install', '--yes', '--no-install-recommends'];

/** Programs of which one is enough, and the packages of Debian that have it. */
const NEEDED = [
  { programs: ['chromium', 'chromium-browser', 'google-chrome'], packages: ['chromium'] },
  { programs: ['mosquitto'], packages: ['mosquitto'] },
  { programs: ['mosquitto_pub'], packages: ['mosquitto-clients'] },
];
/** Takes less of the processor than the whole browser, which some tests need too. Ubuntu has no such package. */
const SHELL = 'chromium-headless-shell';

/**
 * Installs what is missing, where that is Debian's way and the user may. Elsewhere the tests that need a
 * program name it.
 */
export async function installPrograms() {
  const packages = NEEDED.filter(({ programs }) => !programs.some(isInstalled)).flatMap(
    (needed) => needed.packages,
  );
  if (packages.length === 0 || process.getuid?.() !== 0 || !isInstalled('apt-get')) return;
  await apt([...APT, 'update']);
  if (!packages.includes('chromium')) await apt([...INSTALL, ...packages]);
  else if (!(await apt([...INSTALL, SHELL, ...packages]))) await apt([...INSTALL, ...packages]);
}

function isInstalled(program) {
  return FOLDERS.some((folder) => existsSync(join(folder, program)));
}

async function apt(args) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  return (await run('apt-get', args, { limitMs: LIMIT_MS, env })).ok;
}
