import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD_COST } from '../../src/access/secrets/slow-hash.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ environment: { passwordCost: PASSWORD_COST } });
});
afterAll(() => server.stop());

describe('eighty wrong sign-ins at once', () => {
  it('are refused beyond a few in progress, and requests with credentials are answered', async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 80 }, (_, one) =>
        server.call(operations.createToken, {
          body: { email: `${one}@example.com`, password: 'not the password' },
        }),
      ),
    ).finally(() => {
      isOver = true;
    });
    let reads = 0;
    while (!isOver) {
      expect((await server.call(operations.listLocations)).status).toBe(200);
      reads += 1;
    }
    const answers = await flood;
    expect(reads).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
