import { operations, WEBHOOK_FORMAT_FIELDS, WEBHOOK_FORMATS } from '@fieldwatch/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  server = await startServer({ env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' } });
  receiver = await startReceiver();
});

afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const create = async (fields: object = {}) => {
  const body = { name: 'Chat', url: receiver.url, ...fields };
  const made = await server.call(operations.createWebhook, { body });
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const test = (webhookId: string, at = server) =>
  at.call(operations.testWebhook, { params: { webhookId } });
/** What a format needs. */
const fieldsOf = (format: (typeof WEBHOOK_FORMATS)[number]) => {
  const uses = WEBHOOK_FORMAT_FIELDS[format];
  return {
    format,
    ...(uses.destination === 'UNUSED' ? {} : { destination: 'plant' }),
    ...(uses.credential === 'UNUSED' ? {} : { credential: 'secret' }),
    ...(uses.template === 'UNUSED'
      ? {}
      : { template: { contentType: 'text/plain', body: '{{type}} {{title}} {{text}}' } }),
  };
};

describe('a test of a webhook', () => {
  it.each(WEBHOOK_FORMATS)('sends a marked message in the format %s', async (format) => {
    receiver.received.length = 0;
    const { id } = await create(fieldsOf(format));
    const { status, body } = await test(id);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 200, durationMs: expect.any(Number), error: null });
    const [request] = receiver.received;
    expect(decodeURIComponent(request?.text.replaceAll('+', ' ') ?? '')).toContain(
      'TEST: Fieldwatch can reach this webhook',
    );
  });

  it('is signed, also while the webhook is switched off, and in the audit log', async () => {
    receiver.received.length = 0;
    const { id, secret } = await create({ isActive: false });
    expect((await test(id)).body.error).toBeNull();
    const [request] = receiver.received;
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(request?.headers[name])]));
    expect(new Verifier(secret).verify(request?.text ?? '', signed)).toMatchObject({
      type: 'text',
      data: { subject: 'TEST: Fieldwatch can reach this webhook', path: null },
    });
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(log.body.items[0].changes).toEqual([{ field: 'test', from: null, to: 'accepted' }]);
    const deliveries = await server.call(operations.listWebhookDeliveries, {
      params: { webhookId: id },
    });
    expect(deliveries.body.items).toEqual([]);
  });

  it('reports what the receiver answered, and why it was not reached', async () => {
    const { id } = await create();
    receiver.answer(503);
    const refused = (await test(id)).body;
    receiver.answer(200);
    expect(refused).toMatchObject({ status: 503, error: 'the answer was 503' });
    const { id: away } = await create({ url: 'http://127.0.0.1:1/hook' });
    expect((await test(away)).body).toMatchObject({ status: null, error: expect.any(String) });
    const { id: forbidden } = await create({ url: 'http://10.0.0.1/hook' });
    expect((await test(forbidden)).body.error).toMatch(/not allowed|private|refused/);
  });

  it('of a neighbour is as of an unknown webhook', async () => {
    const { id } = await create();
    expect((await test(id, await startNeighbour(server))).status).toBe(404);
  });
});
