import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests that read the tree and need no database. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    testTimeout: 30_000,
    include: ['server/test/architecture/*.test.ts', 'server/test/{architecture,docs}.test.ts'],
  },
});
