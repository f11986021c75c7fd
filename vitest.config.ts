import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: '@fieldwatch/contract/openapi', replacement: source('contract/src/openapi.ts') },
      { find: '@fieldwatch/contract', replacement: source('contract/src/index.ts') },
      { find: '@fieldwatch/client', replacement: source('client/src/index.ts') },
      { find: '@fieldwatch/simulator', replacement: source('simulator/src/index.ts') },
    ],
  },
  test: {
    include: ['{contract,client,server,simulator,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/test/support/postgres.ts'],
    // The default leaves a core to the watcher, which does not run here.
    maxWorkers: '100%',
    // No part keeps state in a module, so files may share them; loading them anew is most of the time.
    isolate: false,
    // A lid for what hangs, far above what a slow machine takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
