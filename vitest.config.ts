import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Those that take longest, so that no worker is left alone with one at the end. The tests in a browser
 * take the processor and those of several nodes mostly wait: in this order they run beside each other.
 */
const LONGEST = [
  'console/test/pages',
  'journeys/nodes-presence',
  'console/test/journeys',
  'nodes/torture-nodes',
  'torture/torture',
  'node-states',
  'journeys/mosquitto-nodes',
  'journeys/nodes',
  'alarm-crash',
  'nodes-live',
  'topology',
  'journeys/commands',
  'journeys/pages',
  'console/test/fleet',
  'lorawan-load',
  'page-crash',
  'console/test/demo',
  'upgrades/upgrades',
  'hostile',
  'processes',
  'malformed',
  'plans',
  'ingest-crash',
  'killed',
  'statements/statements',
  'paths',
  'servers-crash',
  'storage-unavailable',
  'storage-refusals',
  'http-tls',
  'online-races',
  'alarms-search',
  'authorization',
  'mqtt-malformed',
  'embedded/embedded',
  'live-slow-reader',
  'runtime/lag',
].map((name) => `/${name}.test.ts`);

/**
 * All share one PostgreSQL, which takes 280 connections. A server opens up to 16 of them, and some
 * tests start several servers: with more workers, tests would be refused a connection.
 */
const MAX_WORKERS = 4;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank === -1 ? LONGEST.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

const BUILT = /^(.*\/(?:contract|client|server|simulator))\/src\/(.*)\.ts$/;
const isBuilt = process.env.FIELDWATCH_TEST_BUILT === 'true';

/**
 * `npm test` has just built the packages: their modules are then loaded by Node as they run in
 * production, and vite need not transform them for each worker.
 */
const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    const [, folder, path] = BUILT.exec(resolved?.id ?? '') ?? [];
    if (folder === undefined || path === undefined) return resolved;
    const built = `${folder}/dist/${path}.js`;
    return existsSync(built) ? { id: built } : resolved;
  },
};

export default defineConfig({
  plugins: isBuilt ? [builtModules] : [],
  resolve: {
    alias: [
      { find: '@fieldwatch/contract/openapi', replacement: source('contract/src/openapi.ts') },
      { find: '@fieldwatch/contract', replacement: source('contract/src/index.ts') },
      { find: '@fieldwatch/client', replacement: source('client/src/index.ts') },
      { find: '@fieldwatch/simulator', replacement: source('simulator/src/index.ts') },
    ],
  },
  test: {
    include: ['{contract,client,server,simulator,console,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['scripts/vitest.bundle.mjs', 'server/test/support/postgres.ts'],
    // Two more than there are cores: a worker often waits, for a child process or for PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 2, MAX_WORKERS),
    // Most code of a test runs a few times: V8's baseline compiler pays at once, its optimizing compiler
    // only for code that runs eight times as often as usual, and a larger nursery collects less often.
    // Together they save a fifth of the processor time of the workers.
    execArgv: ['--always-sparkplug', '--interrupt-budget=1000000', '--max-semi-space-size=32'],
    sequence: { sequencer: LongestFirst },
    // No part keeps state in a module, so files may share them; loading them again is most of the time.
    isolate: false,
    server: { deps: { external: [/\/(contract|client|server|simulator)\/dist\//] } },
    // A limit for what hangs, far above what a slow machine takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
