import { defineConfig } from 'vitest/config';
import base from '../vitest.config.ts';

/** Not a test, but it needs all that tests have: a server, data and a browser. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['console/test/screenshots.ts', 'console/test/pictures.ts'],
    testTimeout: 600_000,
  },
});
