import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONSOLE_PLACES } from '../../server/src/http/console.ts';

const router = readFileSync(new URL('../src/app/router.tsx', import.meta.url), 'utf8');

describe('the pages of the console', () => {
  it('are all known to the server, which answers nothing else with the console', () => {
    const routed = [...router.matchAll(/page\('\/([a-z-]+)/g)].map(([, place]) => place);
    // Opened before there is a session, and so before there are routes.
    const expected = new Set([...routed, 'invitation', 'sign-in']);
    expect([...CONSOLE_PLACES].sort()).toEqual([...expected].sort());
  });
});
