// `npm run test:partners`: notifications to a real Alertmanager and a real Kannel with a false network.
// Needs their packages, and installs none. See docs/proof.md.
import './node-version.mjs';
import { existsSync } from 'node:fs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node } = await import('./run.mjs');

const LIMIT_MS = 10 * 60_000;
const PACKAGES = {
  'prometheus-alertmanager': '/usr/bin/prometheus-alertmanager',
  kannel: '/usr/sbin/bearerbox',
  'kannel-extras': '/usr/lib/kannel/test/fakesmsc',
};

const missing = Object.entries(PACKAGES).flatMap(([name, path]) =>
  existsSync(path) ? [] : [name],
);
if (missing.length > 0) {
  console.error(`This test needs ${missing.join(' and ')}. On Debian or Ubuntu:

  apt-get install --no-install-recommends ${missing.join(' ')}`);
  process.exit(1);
}
if (!(await prepare())) process.exit(1);
process.env.FIELDWATCH_TEST_BUILT = 'true';
const config = fromRoot('scripts/vitest.partners.config.mjs');
const { ok } = await node([vitest, 'run', '--config', config], { limitMs: LIMIT_MS, show: true });
process.exitCode = ok ? 0 : 1;
