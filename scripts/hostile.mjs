// `npm run hostile`: attacks a real server process with fuzzed requests and mutated MQTT packets, and
// fails when it answers, stalls, grows or loses what it must not. `npm test` runs a short form.
import './node-version.mjs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    packets: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const { prepare } = await import('./prepare.mjs');
const { vitest } = await import('./check.mjs');
const { fromRoot, node } = await import('./run.mjs');
const { readFileSync } = await import('node:fs');

const LIMIT_MS = 2 * 60 * 60_000;

if (!(await prepare())) process.exit(1);
process.env.HOSTILE_REQUESTS = values.requests;
process.env.HOSTILE_PACKETS = values.packets;
process.env.HOSTILE_SEED = values.seed;
const { ok } = await node([vitest, 'run', '--maxWorkers=1', 'server/test/hostile'], {
  limitMs: LIMIT_MS,
  show: true,
});
console.log(readFileSync(fromRoot(`.build/hostile/seed-${values.seed}.json`), 'utf8'));
process.exitCode = ok ? 0 : 1;
