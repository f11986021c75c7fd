import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/runtime/index.ts';
import { ROOT } from '../architecture/tree.ts';
import { startServer } from '../support/server.ts';

/** The names in the numbered list of the section on stopping. */
function documentedOrder(): string[] {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = /\n## Stopping\n([\s\S]*?)\n## /.exec(page) ?? [];
  return [...section.matchAll(/^\d+\. `([^`]+)`: /gm)].map(([, name]) => name as string);
}

describe('a server that stops', () => {
  it('stops its parts in the order that ARCHITECTURE.md lists', async () => {
    const stopped: string[] = [];
    const log = createLog('debug', {
      write(line) {
        const { msg, what } = JSON.parse(line) as { msg?: string; what?: string };
        if (msg === 'stopped' && what !== undefined) stopped.push(what);
      },
    });
    const server = await startServer({ environment: { log } });
    await server.stop();
    expect(stopped.length).toBeGreaterThan(5);
    expect(documentedOrder()).toEqual(stopped);
  });
});
