import { operations } from '@fieldwatch/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answered, basic, send } from '../support/call.ts';
import { startServer, type TestServer } from '../support/server.ts';

const CANARY = 'canary0c0ffee';

const lines: string[] = [];
const refusals: Answered[] = [];
let server: TestServer;
let secrets: string[];
let replayed: Answered;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  server = await startServer({
    environment: { log },
    env: { FIELDWATCH_API_KEY_SECRET: `${CANARY}-first-key-of-32-characters` },
  });
  log.info('the log is being read');
});

afterAll(() => server.stop());

/** Uses every secret in every way that it may be sent, rightly and wrongly. */
async function useSecrets(): Promise<string[]> {
  const password = `${CANARY}-password`;
  const { body: user } = await server.call(operations.createUser, {
    body: { email: 'canary@example.com', role: 'VIEWER', password },
  });
  const { body: invited } = await server.call(operations.createUser, {
    body: { email: 'invited@example.com', role: 'VIEWER' },
  });
  const { body: tokens } = await server.call(operations.createToken, {
    body: { email: user.email, password },
  });
  const made = {
    headers: { 'idempotency-key': 'canary' },
    body: { name: 'Canary', permissions: [] },
  };
  const { body: key } = await server.call(operations.createApiKey, made);
  replayed = await server.call(operations.createApiKey, made);
  const auth = `Bearer ${tokens.accessToken}`;
  const wrongly = [
    server.call(operations.createToken, {
      body: { email: user.email, password: `${CANARY}-wrong` },
    }),
    server.call(operations.createToken, { body: { email: user.email, password: [password] } }),
    server.call(operations.changePassword, {
      auth,
      body: { currentPassword: `${CANARY}-wrong`, newPassword: password },
    }),
    server.call(operations.createUser, {
      body: { email: 'x', role: 'VIEWER', password, secret: CANARY },
    }),
    server.call(operations.refreshToken, { body: { refreshToken: `${CANARY}-refresh` } }),
    server.call(operations.redeemInvitation, { body: { token: `${CANARY}-invitation`, password } }),
    server.call(operations.listApiKeys, { auth: basic(key.id, `${CANARY}-wrong`) }),
    server.call(operations.listApiKeys, { auth: `Bearer ${CANARY}.x.y` }),
    send(server.url, 'GET', `/nowhere/${CANARY}`, {
      query: `secret=${CANARY}`,
      auth: basic('x', CANARY),
    }),
    send(server.url, 'POST', '/auth/v1/token', { body: `{"password":"${CANARY}"` }),
  ];
  refusals.push(...(await Promise.all(wrongly)));
  await server.call(operations.changePassword, {
    auth,
    body: { currentPassword: password, newPassword: `${password}-2` },
  });
  await server.call(operations.revokeToken, { body: { refreshToken: tokens.refreshToken } });
  return [CANARY, tokens.accessToken, tokens.refreshToken, key.secret, invited.invitationToken];
}

it('no secret is in a log line, a refusal or an audit entry', async () => {
  secrets = await useSecrets();
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 10)).toBe(true);
  const { body: audit } = await server.call(operations.listAuditLog, { query: 'take=1000' });
  expect(audit.count).toBeGreaterThan(5);
  expect(refusals.every(({ status }) => status >= 400)).toBe(true);
  const places = {
    log: lines.join(''),
    refusals: refusals.map(({ text }) => text).join(''),
    audit: JSON.stringify(audit),
  };
  expect(places.log).toContain('the log is being read');
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets)
      expect(text.includes(secret), `${secret} in the ${place}`).toBe(false);
  }
});

it('no secret is in the database as it was given', async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const dump: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`select t::text as line from "${name}" t`);
    dump.push(...rows.map(({ line }: { line: string }) => line));
  }
  await client.end();
  const text = dump.join('\n');
  expect(text).toContain('canary@example.com');
  for (const secret of secrets) {
    expect(text.includes(secret), secret).toBe(false);
    expect(text.includes(Buffer.from(secret).toString('hex')), `${secret} as bytes`).toBe(false);
  }
});

it('no cache may store an answer with a secret, also when it is replayed', async () => {
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  const { headers: plain } = await server.call(operations.listLocations);
  expect(plain.get('cache-control')).toBe('private, no-cache');
  const device = await server.call(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Canary' },
  });
  const rotated = await server.call(operations.rotateDeviceCredentials, {
    params: { deviceId: device.body.id },
  });
  for (const { headers } of [replayed, device, rotated]) {
    expect(headers.get('cache-control')).toBe('no-store');
  }
});
