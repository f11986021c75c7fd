// `npm run test:brokers`: two servers at mosquitto and at a RabbitMQ cluster, both killed. Needs
// mosquitto and rabbitmq-server, and installs neither. See docs/proof.md.
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node } = await import('./run.mjs');

const LIMIT_MS = 60 * 60_000;
/** Where Debian's packages put programs of the administrator, which the path of others lacks. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const PACKAGES = {
  mosquitto: FOLDERS.map((folder) => join(folder, 'mosquitto')),
  // The script on the path requires root.
  'rabbitmq-server': ['/usr/lib/rabbitmq/bin/rabbitmq-server'],
};

const missing = Object.entries(PACKAGES).flatMap(([name, paths]) =>
  paths.some((path) => existsSync(path)) ? [] : [name],
);
if (missing.length > 0) {
  console.error(`This test needs ${missing.join(' and ')}. On Debian or Ubuntu:

  apt-get install --no-install-recommends ${missing.join(' ')}

The packages start their services; stop them: systemctl disable --now ${missing.join(' ')}`);
  process.exit(1);
}
if (!(await prepare())) process.exit(1);
process.env.FIELDWATCH_TEST_BUILT = 'true';
const config = fromRoot('scripts/vitest.brokers.config.mjs');
const { ok } = await node([vitest, 'run', '--config', config], { limitMs: LIMIT_MS, show: true });
process.exitCode = ok ? 0 : 1;
