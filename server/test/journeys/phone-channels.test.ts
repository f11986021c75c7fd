import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, PHONE_PRESETS, PHONE_URL_RULE } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const PUBLIC_URL = 'https://fieldwatch.example.com';
const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const TO = '+4915112345678';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Fields = Record<string, unknown>;

let server: TestServer;
let bench: NotificationBench;
let service: Server;
let serviceUrl: string;
let received: Received[] = [];
/** Of the service, one after the other; the last one from then on. */
let answers: { status: number; text: string }[] = [];

beforeAll(async () => {
  server = await startServer({
    env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1', FIELDWATCH_PUBLIC_URL: PUBLIC_URL },
  });
  bench = await notificationBench(server);
  service = createServer();
  service.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(next?.status ?? 200).end(next?.text);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});

afterAll(async () => {
  service.close();
  await bench.stop();
  await server.stop();
});

beforeEach(async () => {
  received = [];
  answers = [{ status: 200, text: 'OK' }];
  const { body } = await server.call(operations.listPhoneChannels, { query: 'take=100' });
  for (const { id } of body.items) {
    await server.call(operations.deletePhoneChannel, { params: { channelId: id } });
  }
});

const create = (fields: Fields = {}, at = server) =>
  at.call(operations.createPhoneChannel, {
    body: {
      name: 'Router',
      kind: 'SMS',
      method: 'GET',
      url: `${serviceUrl}/send?user={{user}}&key={{password}}&to=00{{digits}}&text={{text}}`,
      credential: 'ann:p&w',
      ...fields,
    },
  });
const update = (channelId: string, body: Fields) =>
  server.call(operations.updatePhoneChannel, { params: { channelId }, body });
const tried = (channelId: string, to: unknown = TO) =>
  server.call(operations.testPhoneChannel, { params: { channelId }, body: { to } });
const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);
const queryOf = ({ url = '' }: Partial<Received> = {}) =>
  Object.fromEntries(new URL(url, serviceUrl).searchParams);

describe('a phone channel', () => {
  it('is created, listed, changed and deleted, and never shows its credential', async () => {
    const { status, body } = await create({ from: 'Plant', successText: 'OK' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: body.id, url: body.url, name: 'Router', kind: 'SMS', isActive: true, method: 'GET' },
      ...{ headers: [], contentType: 'application/x-www-form-urlencoded' },
      ...{ body: null, from: 'Plant', successText: 'OK', hasCredential: true },
      ...{ replies: null, receipts: null, signature: 'NONE', replyUrl: null },
      ...{ createdDateTime: body.createdDateTime, updatedDateTime: body.createdDateTime },
    });
    const changed = await update(body.id, { isActive: false, from: null });
    expect(changed.body).toMatchObject({ isActive: false, from: null, hasCredential: true });
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${body.id}` });
    const list = await server.call(operations.listPhoneChannels, { query: 'search=rout' });
    expect(list.body.items).toEqual([changed.body]);
    for (const { text } of [log, list, changed]) expect(text).not.toContain('p&w');
    const params = { channelId: body.id };
    await server.call(operations.deletePhoneChannel, { params });
    expect((await server.call(operations.retrievePhoneChannel, { params })).status).toBe(404);
  });

  it('needs its credential again with another URL', async () => {
    const { body } = await create();
    const url = 'https://attacker.example/?k={{password}}';
    expect(errorsOf(await update(body.id, { url }))).toEqual([
      'credential is required with another url',
    ]);
    expect((await update(body.id, { url, credential: 'other' })).status).toBe(200);
  });

  it.each<[Fields, string[]]>([
    [{ url: 'ftp://example.com' }, [`url ${PHONE_URL_RULE}`]],
    [{ url: 'https://{{to}}.example.com/' }, [`url ${PHONE_URL_RULE}`]],
    [{ url: 'https://example.com:99999/' }, [`url ${PHONE_URL_RULE}`]],
    [{ method: 'POST' }, ['body is required with the method POST']],
    [{ body: 'x' }, ['body is not sent with the method GET']],
    [
      { method: 'POST', contentType: 'application/json', body: '{"to": {{to}}}' },
      ['body must be JSON with its placeholders within the quotes of strings'],
    ],
    [{ headers: [{ name: 'Host', value: 'x' }] }, ['headers[0].name is set by the connection']],
    [
      { headers: [{ name: 'X', value: 'a\nb' }] },
      ['headers[0].value must have printable ASCII characters only'],
    ],
    [{ credential: 'a\nb' }, ['credential must have printable ASCII characters only']],
    [{ kind: 'FAX' }, ['kind must be one of SMS, VOICE']],
  ])('refuses %j', async (fields, errors) => {
    const answer = await create(fields);
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
  });

  it('takes no text of people in headers, and ten headers at most', async () => {
    const [error] = errorsOf(await create({ headers: [{ name: 'X', value: '{{text}}' }] }));
    expect(error).toMatch(/^headers\[0\]\.value has no value for \{\{text\}\}/);
    const headers = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `X-${index}`, value: 'x' }));
    const of = async (count: number) => (await create({ headers: headers(count) })).status;
    expect([await of(9), await of(10), await of(11)]).toEqual([201, 201, 400]);
  });

  it('is one of ten at most in an organization', async () => {
    for (let count = 0; count < 10; count += 1) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });

  it.each(PHONE_PRESETS)(
    'can be made of the preset $name',
    async ({ credential: _, ...preset }) => {
      const { status, body } = await create({
        ...preset,
        credential: 'user:password',
        from: '+1555',
      });
      expect([status, body.successText]).toEqual([201, preset.successText]);
    },
  );

  it('of a neighbour answers like an unknown one', async () => {
    const neighbour = await startNeighbour(server);
    const { body: theirs } = await create({}, neighbour);
    for (const id of [theirs.id, UNKNOWN]) {
      const params = { channelId: id };
      const statuses = [
        (await server.call(operations.retrievePhoneChannel, { params })).status,
        (await update(id, { name: 'Stolen' })).status,
        (await server.call(operations.deletePhoneChannel, { params })).status,
        (await tried(id)).status,
      ];
      expect(statuses).toEqual([404, 404, 404, 404]);
    }
    expect(received).toEqual([]);
  });
});

describe('a test message', () => {
  it('is a GET with escaped values, accepted by the text of the answer', async () => {
    const { body } = await create({ successText: 'OK' });
    expect((await tried(body.id)).body).toEqual({ status: 200, error: null });
    expect(received[0]?.method).toBe('GET');
    expect(queryOf(received[0])).toEqual({
      ...{ user: 'ann', key: 'p&w', to: '004915112345678' },
      text: 'Fieldwatch: this is a test message.',
    });
    answers = [{ status: 200, text: 'ERROR' }];
    const error = 'the answer of Router does not contain its success text';
    expect((await tried(body.id)).body).toEqual({ status: 200, error });
    answers = [{ status: 401, text: '' }];
    expect((await tried(body.id)).body.error).toBe('the answer of Router was 401');
  });

  it('is a POST of JSON with Basic credentials', async () => {
    const { body } = await create({
      ...{ method: 'POST', url: `${serviceUrl}/Accounts/{{user}}/sms`, credential: 'AC1:secret' },
      ...{ contentType: 'application/json', body: '{"to":["{{to}}"],"from":"{{from}}"}' },
      ...{ from: 'Plant "1"', headers: [{ name: 'Authorization', value: 'Basic {{basic}}' }] },
    });
    expect((await tried(body.id)).body.error).toBeNull();
    const [{ url, headers, body: sent } = { url: '', headers: {}, body: '' }] = received;
    expect(url).toBe('/Accounts/AC1/sms');
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(sent)).toEqual({ to: [TO], from: 'Plant "1"' });
  });

  it.each(['015112345678', '+0151', '+491', `+${'1'.repeat(16)}`, null])(
    'to %j is refused',
    async (to) => {
      const { body } = await create();
      expect((await tried(body.id, to)).status).toBe(400);
      expect(received).toEqual([]);
    },
  );
});

describe('a delivery to a telephone', () => {
  /** Writes the delivery of a raised event to a telephone, as a page would. */
  async function deliver(kind: 'SMS' | 'VOICE' = 'SMS'): Promise<string> {
    const at = new Date(server.clock.now()).toISOString();
    const eventId = await bench.notify();
    const payload = {
      type: 'alarm.raised',
      timestamp: at,
      data: {
        ...{ id: eventId, alarmName: 'Oil low & <bad>', deviceName: 'Generator 2' },
        ...{ severity: 'HIGH', deviceVariableName: 'Oil pressure', raisedValue: 1.5 },
        ...{ raisedDateTime: at, operator: 'LESS_THAN', thresholdValue: 2, clearedDateTime: null },
        ...{ acknowledgedBy: null, acknowledgedDateTime: null },
      },
    };
    const [row] = await bench.query<{ id: string }>(
      `with target as (
         insert into notification_targets (organization_id, id, phone, phone_kind, next_at)
         values ($1, gen_random_uuid(), $2, $3, $4)
         on conflict (organization_id, phone, phone_kind) do update
           set next_at = $4, failures = 0, rest_until = null returning id)
       insert into deliveries (organization_id, id, target_id, notice_id, event_id, type,
         event_count, payload, state, started_at, next_at, created_at)
       select $1, gen_random_uuid(), id, gen_random_uuid(), $5, 'alarm.raised', 1, $6, 'PENDING',
         $4, $4, $4 from target returning id`,
      [server.organizationId, TO, kind, at, eventId, JSON.stringify(payload)],
    );
    return row?.id ?? '';
  }
  const delivered = async (id: string, wanted: object) => {
    const found = async () => {
      const { body } = await server.call(operations.listDeliveries, { query: 'take=100' });
      return body.items.find((each: Fields) => each.id === id);
    };
    await expect.poll(found).toMatchObject(wanted);
  };

  it('is sent by the channel of its kind, with the event and its link', async () => {
    const url = `${serviceUrl}/send?to={{to}}&text={{text}}&link={{link}}&id={{id}}`;
    await create({ url });
    const id = await deliver();
    await delivered(id, { channel: 'SMS', phone: TO, state: 'DELIVERED', lastStatus: 200 });
    const sent = queryOf(received[0]);
    expect(sent).toMatchObject({
      ...{ to: TO, id, text: '[HIGH] Oil low & <bad>: Generator 2, Oil pressure 1.5' },
    });
    expect(sent.link).toMatch(`${PUBLIC_URL}/alarms/events/`);
  });

  it('as a call has its text escaped for the markup of the service', async () => {
    await create({ kind: 'VOICE', url: `${serviceUrl}/call?say={{say}}` });
    await delivered(await deliver('VOICE'), { channel: 'VOICE', state: 'DELIVERED' });
    expect(queryOf(received[0]).say).toContain('Oil low &amp; &lt;bad&gt;');
  });

  it('takes the next channel after a failure', async () => {
    await create({ name: 'First', url: `${serviceUrl}/first` });
    await create({ name: 'Second', url: `${serviceUrl}/second` });
    answers = [
      { status: 500, text: '' },
      { status: 200, text: '' },
    ];
    const id = await deliver();
    await delivered(id, { attempts: 1, lastError: 'the answer of First was 500' });
    server.clock.advance(11_000);
    await delivered(id, { state: 'DELIVERED', attempts: 2 });
    expect(received.map(({ url }) => url)).toEqual(['/first', '/second']);
  });

  it('fails for good where the organization has no active channel', async () => {
    await create({ isActive: false });
    await create({ kind: 'VOICE' });
    await delivered(await deliver(), {
      state: 'FAILED',
      lastError: 'undeliverable: the organization has no active channel for SMS',
    });
    expect(received).toEqual([]);
  });
});
