import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONSOLE_PATHS } from '../../server/src/http/console.ts';

const router = readFileSync(new URL('../src/app/router.tsx', import.meta.url), 'utf8');

describe('the paths of the console', () => {
  it('are exactly the paths at which the server serves the console', () => {
    const routed = [...router.matchAll(/page\('\/([a-z-]+)/g)].map(([, path]) => path);
    // These pages open without a session, before the router exists.
    const expected = new Set([...routed, 'invitation', 'shared', 'sign-in']);
    expect([...CONSOLE_PATHS].sort()).toEqual([...expected].sort());
  });
});
