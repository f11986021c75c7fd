import { type OperationId, operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../support/database.ts';
import { malformed } from '../support/malformed.ts';
import { startServer, type TestServer } from '../support/server.ts';

const REQUESTS = 1_000;
const AT_ONCE = 20;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

describe.each(Object.keys(operations) as OperationId[])('%s', (id) => {
  it(`answers ${REQUESTS} malformed requests with problems and changes nothing`, async () => {
    const operation = operations[id];
    const auth = operation.access.kind === 'user' ? server.administrator : server.key;
    const before = await digest(server.databaseUrl);
    const calls = fc.sample(malformed(operation), { numRuns: REQUESTS, seed: 20_261_115 });
    for (let first = 0; first < calls.length; first += AT_ONCE) {
      const answers = await Promise.all(
        calls
          .slice(first, first + AT_ONCE)
          .map((call) => server.call(operation, { auth, ...call })),
      );
      for (const [index, { status }] of answers.entries()) {
        const isRefused = status >= 400 && status < 500;
        if (!isRefused) expect([status, calls[first + index]]).toEqual(['4xx', 'a refusal']);
      }
    }
    expect(await digest(server.databaseUrl)).toEqual(before);
  });
});
