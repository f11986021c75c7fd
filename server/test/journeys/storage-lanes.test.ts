import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestCalls } from '../support/ingest-calls.ts';
import { waitForBlocked, whileLocked } from '../support/locks.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** More than all connections of a server. */
const MANY = 20;
const CONNECTIONS_FOR_REQUESTS = 6;
const CONNECTIONS_WITHOUT_CREDENTIALS = 3;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const listLocations = () => server.call(operations.listLocations);

describe('the connections of a server', () => {
  it('take the readings of a Device while requests hold all connections of requests', async () => {
    const calls = ingestCalls(server);
    const { id, auth } = await calls.newDevice();
    await calls.newVariable(id, 'engine.rpm');
    const requests = await whileLocked(server.databaseUrl, 'locations', async () => {
      const held = Array.from({ length: MANY }, listLocations);
      await waitForBlocked(server.databaseUrl, CONNECTIONS_FOR_REQUESTS);
      const { status, body } = await calls.write(id, { 'engine.rpm': 1 }, auth);
      expect(status).toBe(200);
      expect(body).toMatchObject({ accepted: 1, stored: 1 });
      return held;
    });
    await Promise.all(requests);
    expect((await listLocations()).status).toBe(200);
  });

  it('answer requests with credentials while requests without them wait for storage', async () => {
    const signIns = await whileLocked(server.databaseUrl, 'users', async () => {
      const held = Array.from({ length: MANY }, (_, each) =>
        server.call(operations.createToken, {
          body: { email: `stranger-${each}@example.com`, password: 'not the password' },
        }),
      );
      await waitForBlocked(server.databaseUrl, CONNECTIONS_WITHOUT_CREDENTIALS);
      expect((await listLocations()).status).toBe(200);
      return held;
    });
    await Promise.all(signIns);
  });
});
