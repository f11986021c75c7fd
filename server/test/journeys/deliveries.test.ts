import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import type { TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: Neighbours;
let server: TestServer;
let neighbour: TestServer;
let bench: NotificationBench;

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server, neighbour } = neighbours);
  bench = await notificationBench(server);
});

afterAll(async () => {
  await bench.stop();
  await neighbours.stop();
});

async function newWebhook(at: TestServer): Promise<string> {
  const body = { name: 'Pager', url: 'http://127.0.0.1:9/' };
  return (await at.call(operations.createWebhook, { body })).body.id;
}

type State = 'DELIVERED' | 'FAILED';

/** Ended deliveries to a webhook or an address, the oldest first. */
async function logged(
  at: TestServer,
  to: { webhookId?: string; email?: string },
  states: readonly State[],
): Promise<string[]> {
  const target = UNKNOWN.replace('dead', Math.random().toString(16).slice(2, 6).padEnd(4, '0'));
  await bench.query(
    `insert into notification_targets (organization_id, id, webhook_id, email, email_folded)
     values ($1, $2, $3, $4, lower($4))`,
    [at.organizationId, target, to.webhookId ?? null, to.email ?? null],
  );
  const rows = await bench.query<{ id: string }>(
    `insert into deliveries (organization_id, id, target_id, type, event_count, payload, state,
       started_at, created_at)
     select $1, gen_random_uuid(), $2, 'alarm.digest', number, '{}', state, now(),
       now() + number * interval '1 second'
     from unnest($3::text[]) with ordinality as given (state, number)
     returning id`,
    [at.organizationId, target, states],
  );
  return rows.map(({ id }) => id);
}

const ofWebhook = (webhookId: string, query = '') =>
  server.call(operations.listWebhookDeliveries, { params: { webhookId }, query });

const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

describe('the delivery log of a webhook', () => {
  it('lists newest first, by page and by state', async () => {
    const webhookId = await newWebhook(server);
    const ids = await logged(server, { webhookId }, ['FAILED', 'DELIVERED', 'FAILED']);
    const newest = [...ids].reverse();
    const { body } = await ofWebhook(webhookId);
    expect([body.count, idsOf(body)]).toEqual([3, newest]);
    const page = (await ofWebhook(webhookId, 'skip=1&take=1')).body;
    expect([page.count, idsOf(page)]).toEqual([3, newest.slice(1, 2)]);
    const failed = (await ofWebhook(webhookId, 'states[]=FAILED')).body;
    expect([failed.count, idsOf(failed)]).toEqual([2, [newest[0], newest[2]]]);
    expect((await ofWebhook(webhookId, 'states[]=PENDING')).body.count).toBe(0);
  });

  it('is empty for a webhook without deliveries, and refuses unknown states', async () => {
    const webhookId = await newWebhook(server);
    expect((await ofWebhook(webhookId)).body).toEqual({ count: 0, items: [] });
    expect((await ofWebhook(webhookId, 'states[]=LOST')).status).toBe(400);
    expect((await ofWebhook(webhookId, 'channels[]=EMAIL')).status).toBe(400);
  });

  it('goes with the webhook', async () => {
    const webhookId = await newWebhook(server);
    const [id = ''] = await logged(server, { webhookId }, ['FAILED']);
    await server.call(operations.deleteWebhook, { params: { webhookId } });
    expect((await ofWebhook(webhookId)).status).toBe(404);
    expect(await bench.query('select 1 from deliveries where id = $1', [id])).toEqual([]);
  });
});

describe('the delivery log of the organization', () => {
  it('lists by channel and by state, of this organization alone', async () => {
    const webhookId = await newWebhook(server);
    const [hook = ''] = await logged(server, { webhookId }, ['FAILED']);
    const [mail = ''] = await logged(server, { email: 'Ann@example.com' }, ['DELIVERED']);
    const [theirs = ''] = await logged(neighbour, { email: 'bob@example.com' }, ['FAILED']);
    const list = async (query: string) =>
      idsOf((await server.call(operations.listDeliveries, { query })).body);
    const all = await list('take=1000');
    expect(all).toEqual(expect.arrayContaining([hook, mail]));
    expect(all).not.toContain(theirs);
    expect(await list('channels[]=EMAIL')).toEqual([mail]);
    expect(await list('channels[]=WEBHOOK&states[]=FAILED')).toContain(hook);
    expect(await list('channels[]=EMAIL&states[]=FAILED')).toEqual([]);
  });
});

describe("a neighbour's delivery", () => {
  it('answers like an unknown one in every operation', async () => {
    const theirWebhook = await newWebhook(neighbour);
    const [theirs = ''] = await logged(neighbour, { webhookId: theirWebhook }, ['FAILED']);
    const ownWebhook = await newWebhook(server);
    const [own = ''] = await logged(server, { webhookId: ownWebhook }, ['FAILED']);
    const otherWebhook = await newWebhook(server);
    const redeliver = async (webhookId: string, deliveryId: string) => {
      const params = { webhookId, deliveryId };
      return (await server.call(operations.redeliverWebhookDelivery, { params })).status;
    };
    for (const webhookId of [theirWebhook, UNKNOWN, 'not-a-uuid']) {
      expect((await ofWebhook(webhookId)).status).toBe(404);
      expect(await redeliver(webhookId, theirs)).toBe(404);
      expect(await redeliver(webhookId, own)).toBe(404);
    }
    for (const deliveryId of [theirs, UNKNOWN, 'not-a-uuid']) {
      expect(await redeliver(ownWebhook, deliveryId)).toBe(404);
    }
    expect(await redeliver(otherWebhook, own)).toBe(404);
    const [untouched] = await bench.query('select state from deliveries where id = $1', [theirs]);
    expect(untouched).toEqual({ state: 'FAILED' });
  });
});
