import { type FieldError, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const bomb = (keyLength: number, count: number) =>
  `{"${'k'.repeat(keyLength)}":[${Array.from({ length: count }, () => '"\\u0000"').join(',')}]}`;

describe('a body full of what cannot be stored', () => {
  it.each([
    [3_600, 1_000],
    [1, 1_600],
  ])('is answered with a few of the bad fields, each by a short name', async (length, count) => {
    const answer = await send(server.url, 'POST', '/auth/v1/token', { body: bomb(length, count) });
    expect([answer.status, answer.body.errors.length]).toEqual([400, 100]);
    expect(answer.text.length).toBeLessThan(100_000);
  });
});

describe('a body of an operation without credentials', () => {
  const padded = (bytes: number) => {
    const body = JSON.stringify({ email: 'a@example.com', password: 'wrong password' });
    return body.padEnd(bytes, ' ');
  };

  it.each([
    ['/auth/v1/token', 16_383, 401],
    ['/auth/v1/token', 16_384, 401],
    ['/auth/v1/token', 16_385, 413],
    ['/auth/v1/token/refresh', 16_385, 413],
    ['/auth/v1/token/revoke', 16_385, 413],
    ['/auth/v1/invitations', 16_385, 413],
  ])('at %s with %i bytes is answered with %i', async (path, bytes, status) => {
    const answer = await send(server.url, 'POST', path, { body: padded(bytes) });
    expect(answer.status, answer.text).toBe(status);
  });
});

describe('a body of very many values', () => {
  const dashboard = (values: number) => ({
    name: 'Wall',
    configuration: { version: 1, widgets: [], extra: Array(values - 6).fill(1) },
  });

  it.each([
    [19_999, 201],
    [20_000, 201],
    [20_001, 400],
  ])('with %i of them is answered with %i', async (values, status) => {
    const given = { auth: server.administrator, body: dashboard(values) };
    const answer = await server.call(operations.createDashboard, given);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([
      status,
      status === 400 ? 'body' : undefined,
    ]);
  });

  it('is refused by the first bad field where it is wrong everywhere', async () => {
    const widgets = Array.from({ length: 9_000 }, () => ({ id: 'a' }));
    const body = { name: 'Wall', configuration: { version: 1, widgets } };
    const given = { auth: server.administrator, body };
    const answer = await server.call(operations.createDashboard, given);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ path: 'configuration.widgets', message: 'must have at most 200 values' }],
    ]);
  });

  it('that the operation does not know is refused, and no error of the server', async () => {
    const fields = Array.from({ length: 19_000 }, (_, index) => [`field${index}`, 1]);
    const body = Object.fromEntries(fields);
    const { status } = await server.call(operations.createDevice, { body });
    expect(status).toBe(400);
  });
});

describe('an id of any length', () => {
  it.each([4_096, 4_097, 12_000])('is unknown with %i characters', async (length) => {
    const deviceId = 'a'.repeat(length);
    const device = await server.call(operations.retrieveDevice, { params: { deviceId } });
    expect(device.status).toBe(404);
    const params = { organizationId: deviceId };
    expect((await server.call(operations.listDevices, { params })).status).toBe(403);
  });
});

describe('a file of the documents that is not to be had', () => {
  it.each([
    ['/docs/static/none.js', {}],
    ['/docs/static/%2e%2e/%2e%2e/package.json', {}],
    ['/docs/static/%00', {}],
    ['/docs/static//x', {}],
  ])('is a problem like any other: %s %j', async (path, headers) => {
    const { status, body } = await send(server.url, 'GET', path, { headers });
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

it('a create is tagged as the record that it makes', async () => {
  const body = { type: 'CUSTOM_DEVICE', name: 'Big pump' };
  const made = await server.call(operations.createDevice, { body });
  const params = { deviceId: made.body.id };
  const found = await server.call(operations.retrieveDevice, { params });
  expect(made.headers.get('etag')).toMatch(/^"1-/);
  expect(made.headers.get('etag')).toBe(found.headers.get('etag'));
});

it('a record whose Location is deleted is another one for who read it before', async () => {
  const location = await server.call(operations.createLocation, { body: { name: 'Back yard' } });
  const body = { type: 'CUSTOM_DEVICE', name: 'Big pump', locationId: location.body.id };
  const made = await server.call(operations.createDevice, { body });
  expect(made.status, made.text).toBe(201);
  const params = { deviceId: made.body.id };
  await server.call(operations.deleteLocation, { params: { locationId: location.body.id } });
  const edit = (etag: string | null) =>
    server.call(operations.updateDevice, {
      params,
      body: { type: 'CUSTOM_DEVICE', name: 'Old well' },
      headers: { 'if-match': etag ?? '' },
    });
  const stale = await edit(made.headers.get('etag'));
  expect(stale.status, stale.text).toBe(412);
  const found = await server.call(operations.retrieveDevice, { params });
  expect(found.body.locationId).toBeNull();
  expect((await edit(found.headers.get('etag'))).status).toBe(200);
});

it('the audit log shows that a secret is another one, and neither of them', async () => {
  const lora = { devEui: '00112233445566AA', appEui: '0011223344556677', appKey: '0'.repeat(32) };
  const body = { type: 'LORAWAN_DEVICE', name: 'Meter', configuration: lora };
  const { body: device } = await server.call(operations.createDevice, { body });
  const params = { deviceId: device.id };
  const edited = { type: 'LORAWAN_DEVICE', configuration: { appKey: 'A'.repeat(32) } };
  await server.call(operations.updateDevice, { params, body: edited });
  await server.call(operations.rotateDeviceCredentials, { params });
  const query = `resourceId=${device.id}`;
  const { text, body: log } = await server.call(operations.listAuditLog, { query });
  const [rotated, updated] = log.items;
  expect(rotated.changes).toEqual([{ field: 'password', from: '***', to: '***' }]);
  expect(updated.changes).toEqual([
    {
      field: 'configuration',
      from: { ...lora, appKey: '***' },
      to: { ...lora, appKey: '***' },
    },
  ]);
  expect(text).not.toContain('AAAAAAAA');
});

it.each([
  [{}, ['name', 'type']],
  [{ name: 5, description: 7, foo: 1 }, ['description', 'foo', 'name', 'type']],
  [{ type: 'BOAT', name: '' }, ['name', 'type']],
])('a Device is refused with every bad field: %j', async (body, paths) => {
  const { status, body: problem } = await server.call(operations.createDevice, { body });
  const named = problem.errors.map(({ path }: FieldError) => path).sort();
  expect([status, named]).toEqual([400, paths]);
});

it('whoever looks whether the service is well uses up nobody’s requests', async () => {
  const limited = await startServer({ env: { FIELDWATCH_REQUESTS_PER_MINUTE: '5' } });
  try {
    for (let count = 0; count < 10; count += 1) {
      expect((await send(limited.url, 'GET', '/healthz')).status).toBe(200);
    }
    const body = { grant_type: 'password', username: 'a@b.co', password: 'wrong' };
    expect((await send(limited.url, 'POST', '/auth/v1/token', { body })).status).not.toBe(429);
  } finally {
    await limited.stop();
  }
});
