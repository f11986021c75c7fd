import { operations, SEVERITIES } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
let neighbour: TestOrganization;

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server, neighbour } = neighbours);
});

type Fields = Record<string, unknown>;

const create = (body: Fields = {}) =>
  server.call(operations.createAlarmGroup, { body: { name: 'Group', ...body } });
const made = async (body: Fields = {}) => (await create(body)).body;
const update = (alarmGroupId: string, body: Fields) =>
  server.call(operations.updateAlarmGroup, { params: { alarmGroupId }, body });
const retrieve = (alarmGroupId: string) =>
  server.call(operations.retrieveAlarmGroup, { params: { alarmGroupId } });

const newWebhook = async (at = server): Promise<string> => {
  const body = { name: 'Webhook', url: 'https://example.com/' };
  return (await at.call(operations.createWebhook, { body })).body.id;
};
const removeWebhook = (webhookId: string) =>
  server.call(operations.deleteWebhook, { params: { webhookId } });

const toEmail = (email: string, severities?: unknown) => ({
  kind: 'EMAIL',
  email,
  ...(severities === undefined ? {} : { severities }),
});
const toWebhook = (webhookId: string, severities?: unknown) => ({
  kind: 'WEBHOOK',
  webhookId,
  ...(severities === undefined ? {} : { severities }),
});
const emails = (count: number) =>
  Array.from({ length: count }, (_, index) => toEmail(`person-${index}@example.com`));

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

const nothing = (id: string) => `names nothing that exists in this organization: ${id}`;

describe('the subscriptions of an alarm group', () => {
  it('keep their order, with severities always a list', async () => {
    const [first, second] = [await newWebhook(), await newWebhook()];
    const { body } = await create({
      description: 'Who is up',
      subscriptions: [
        toWebhook(second.toUpperCase(), ['CRITICAL', 'LOW']),
        toEmail('Zoe@example.com'),
        toEmail('adam@example.com', []),
        toWebhook(first, SEVERITIES),
      ],
    });
    expect(body.description).toBe('Who is up');
    expect(body.subscriptions).toEqual([
      { kind: 'WEBHOOK', webhookId: second, severities: ['CRITICAL', 'LOW'] },
      { kind: 'EMAIL', email: 'Zoe@example.com', severities: [] },
      { kind: 'EMAIL', email: 'adam@example.com', severities: [] },
      { kind: 'WEBHOOK', webhookId: first, severities: [...SEVERITIES] },
    ]);
    expect((await retrieve(body.id)).body).toEqual(body);
  });

  it.each([
    [99, 201],
    [100, 201],
    [101, 400],
  ])('may be %i or not, as they should', async (count, status) => {
    const { status: answered, body } = await create({ subscriptions: emails(count) });
    expect([answered, body.subscriptions?.length]).toEqual([
      status,
      status === 201 ? count : undefined,
    ]);
  });

  const one = (subscription: unknown) => ({ subscriptions: [subscription] });
  it.each([
    [one('a@example.com'), 'subscriptions[0] must be an object'],
    [one({}), 'subscriptions[0].kind is required'],
    [one({ kind: 'SMS' }), 'subscriptions[0].kind must be one of EMAIL, WEBHOOK'],
    [one({ kind: 'EMAIL' }), 'subscriptions[0].email is required'],
    [one(toEmail('nobody')), 'subscriptions[0].email must be an email address'],
    [one({ kind: 'WEBHOOK' }), 'subscriptions[0].webhookId is required'],
    [one(toWebhook('x')), 'subscriptions[0].webhookId must be a UUID'],
    [
      one({ ...toEmail('a@example.com'), webhookId: UNKNOWN }),
      'subscriptions[0].webhookId is not a field of this request',
    ],
    [
      one(toEmail('a@example.com', ['LOUD'])),
      `subscriptions[0].severities[0] must be one of ${SEVERITIES.join(', ')}`,
    ],
    [
      one(toEmail('a@example.com', ['LOW', 'LOW'])),
      'subscriptions[0].severities must not repeat a value (positions 1 and 0)',
    ],
    [one(toEmail('a@example.com', null)), 'subscriptions[0].severities must be an array'],
  ])('refuse %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('refuse a second subscription of the same address or webhook, at the second', async () => {
    const webhook = await newWebhook();
    const answer = await create({
      subscriptions: [
        toEmail('someone@example.com'),
        toWebhook(webhook),
        toEmail('SomeOne@Example.COM', ['LOW']),
        toWebhook(webhook.toUpperCase()),
        toEmail('someone@example.com'),
      ],
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        'subscriptions[2].email repeats subscriptions[0].email',
        'subscriptions[3].webhookId repeats subscriptions[1].webhookId',
        'subscriptions[4].email repeats subscriptions[0].email',
      ],
    ]);
  });

  it('name every unknown webhook in the error, also one of a neighbour', async () => {
    const theirs = await newWebhook(neighbour);
    const answer = await create({
      subscriptions: [
        toWebhook(await newWebhook()),
        toWebhook(UNKNOWN),
        toEmail('a@example.com'),
        toWebhook(theirs),
      ],
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        `subscriptions[1].webhookId ${nothing(UNKNOWN)}`,
        `subscriptions[3].webhookId ${nothing(theirs)}`,
      ],
    ]);
  });

  it.each([
    [
      { subscriptions: [toEmail('a@b.example'), toEmail('A@b.example')] },
      'subscriptions[1].email repeats subscriptions[0].email',
    ],
    [
      { subscriptions: [toEmail('ΟΔΟΣ@b.example'), toEmail('οδος@b.example')] },
      'subscriptions[1].email repeats subscriptions[0].email',
    ],
    [
      { subscriptions: [toEmail('\u01f0@b.example'), toEmail('J\u030c@b.example')] },
      'subscriptions[1].email repeats subscriptions[0].email',
    ],
    [{ subscriptions: [toWebhook(UNKNOWN)] }, `subscriptions[0].webhookId ${nothing(UNKNOWN)}`],
  ])('refuse %j in a change too, which then changes nothing', async (body, message) => {
    const before = await made({ subscriptions: [toEmail('a@example.com')] });
    const answer = await update(before.id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await retrieve(before.id)).body).toEqual(before);
  });

  it('are returned by each of twenty concurrent changes as that change wrote them', async () => {
    const { id } = await made();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { status, body } = await update(id, { subscriptions: emails(index) });
        return [status, body.subscriptions.length - index];
      }),
    );
    expect(answers).toEqual(answers.map(() => [200, 0]));
  });
});

describe('deleting a webhook', () => {
  it('removes its subscriptions and keeps the others in order', async () => {
    const [gone, kept] = [await newWebhook(), await newWebhook()];
    const { id } = await made({
      subscriptions: [toEmail('a@example.com'), toWebhook(gone), toWebhook(kept)],
    });
    expect((await removeWebhook(gone)).status).toBe(204);
    expect((await retrieve(id)).body.subscriptions).toEqual([
      { kind: 'EMAIL', email: 'a@example.com', severities: [] },
      { kind: 'WEBHOOK', webhookId: kept, severities: [] },
    ]);
    expect((await update(id, { name: 'Still editable' })).status).toBe(200);
  });

  it('while a group names it leaves no subscription without a webhook', async () => {
    for (let round = 0; round < 10; round += 1) {
      const webhook = await newWebhook();
      const { id } = await made();
      const [change, removal] = await Promise.all([
        update(id, { subscriptions: [toWebhook(webhook)] }),
        removeWebhook(webhook),
      ]);
      expect([200, 400]).toContain(change.status);
      expect(removal.status).toBe(204);
      expect((await retrieve(id)).body.subscriptions).toEqual([]);
    }
  });
});
