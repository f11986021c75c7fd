// `npm run test:brokers`: two servers at mosquitto and at a RabbitMQ cluster, both killed. Needs
// mosquitto and rabbitmq-server, and fails without them. See docs/proof.md.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node } = await import('./run.mjs');

const LIMIT_MS = 60 * 60_000;

if (!(await prepare())) process.exit(1);
process.env.FIELDWATCH_TEST_BUILT = 'true';
const config = fromRoot('scripts/vitest.brokers.config.mjs');
const { ok } = await node([vitest, 'run', '--config', config], { limitMs: LIMIT_MS, show: true });
process.exitCode = ok ? 0 : 1;
