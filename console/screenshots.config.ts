import { mergeConfig } from 'vitest/config';
import base from '../vitest.config.ts';

/** Not a test, but it needs all that tests have: a server, data and a browser. */
export default mergeConfig(base, {
  test: { include: ['console/test/screenshots.ts'], testTimeout: 600_000 },
});
