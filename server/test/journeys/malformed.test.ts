import { setFlagsFromString } from 'node:v8';
import { type OperationId, operations } from '@fieldwatch/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digest } from '../support/database.ts';
import { malformed } from '../support/malformed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { cases, SEED } from '../support/soak.ts';

/** A tenth in `npm test`, since each of all operations takes as many. */
const REQUESTS = cases(1_000, 0.1);
const MAX_CONCURRENT_REQUESTS = 20;

/** How often code runs before V8 optimizes it: soon here, and as `vitest.config.ts` says elsewhere. */
const INTERRUPT_BUDGET = { here: 200_000, elsewhere: 1_000_000 };

let server: TestServer;
let before: unknown;

// The same code answers all of some 20 000 requests, so that optimizing it pays.
beforeAll(() => setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET.here}`));
afterAll(() => setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET.elsewhere}`));

beforeAll(async () => {
  server = await startServer();
  before = await digest(server.databaseUrl);
});

afterAll(() => server.stop());

it.each(Object.keys(operations) as OperationId[])(
  `%s answers ${REQUESTS} malformed requests with problem records (seed ${SEED})`,
  async (id) => {
    const operation = operations[id];
    const auth = operation.access.kind === 'user' ? server.administrator : server.key;
    const calls = fc.sample(malformed(operation), { numRuns: REQUESTS, seed: SEED });
    for (let first = 0; first < calls.length; first += MAX_CONCURRENT_REQUESTS) {
      const answers = await Promise.all(
        calls
          .slice(first, first + MAX_CONCURRENT_REQUESTS)
          .map((call) => server.call(operation, { auth, ...call })),
      );
      for (const [index, { status }] of answers.entries()) {
        const isRefused = status >= 400 && status < 500;
        if (!isRefused) expect([status, calls[first + index]]).toEqual(['4xx', 'a refusal']);
      }
    }
  },
);

it('malformed requests to any operation leave the database as it was', async () => {
  expect(await digest(server.databaseUrl)).toEqual(before);
});
