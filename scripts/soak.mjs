// `npm run test:soak`: the tests that `npm test` runs in a short form, with many more cases each.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { node } = await import('./run.mjs');

const LIMIT_MS = 60 * 60_000;

if (!(await prepare())) process.exit(1);
process.env.FIELDWATCH_TEST_SOAK = 'true';
process.env.FIELDWATCH_TEST_BUILT = 'true';
const JOURNEYS = [
  ...['alarm-groups', 'alarms-search', 'asset-lists', 'dashboards-list', 'device-lists'],
  ...['location-lists', 'malformed', 'readings-oracle', 'variable-folders'],
  ...['variables-classifications', 'variables-lists', 'webhooks'],
];
const files = [
  'console/test/pages.test.ts',
  ...JOURNEYS.map((name) => `server/test/journeys/${name}.test.ts`),
  'server/src/alarms/judgement/watch-oracle.test.ts',
  'server/src/ingest/decode/properties.test.ts',
  'server/src/readings/codec',
  'server/test/plans.test.ts',
  'server/test/upgrades',
];
const { ok } = await node([vitest, 'run', ...files], { limitMs: LIMIT_MS, show: true });
process.exitCode = ok ? 0 : 1;
