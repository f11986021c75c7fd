import { operations, type PageDetails } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FailingServer, newWatched } from '../support/failing-server.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';

const STEP_SECONDS = 60;
/** Between each two statements that matter, and after the commit. */
const FAILPOINTS = ['page deliveries', 'page committed', 'page taken', 'page step', 'page saved'];
/** Of 50 kills in each place, `npm test` makes one in each of the first two: the places of one page. */
const ROUNDS = cases(25, 0.04);
const PLACES: readonly (readonly [first: string, second: string])[] =
  ROUNDS === 1
    ? [['page deliveries', 'page committed']]
    : FAILPOINTS.map((failpoint) => [failpoint, failpoint]);

let server: FailingServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await FailingServer.start();
});

afterAll(async () => {
  await server?.stop();
  await receiver?.stop();
});

/** An Alarm whose events are paged to a webhook, twice. */
async function newPagedAlarm() {
  const { ask } = server;
  const { body: webhook } = await ask(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const steps = [0, STEP_SECONDS].map((afterSeconds) => ({ afterSeconds, targets }));
  const policy = await ask(operations.createEscalationPolicy, { body: { name: 'Policy', steps } });
  const group = await ask(operations.createAlarmGroup, {
    body: { name: 'Group', escalationPolicyId: policy.body.id },
  });
  const { report } = await newWatched(server, { alarmGroupId: group.body.id, delaySeconds: 0 });
  return { policyId: policy.body.id as string, raise: () => report(60) };
}

/** The only page of a policy, once its deliveries are all sent. */
async function pageWith(policyId: string, deliveryCount: number): Promise<PageDetails> {
  const found = async () => {
    const { items } = (await server.ask(operations.listPages, { query: `policyId=${policyId}` }))
      .body;
    if (items.length !== 1) return items.length;
    const params = { pageId: items[0].id };
    return (await server.ask(operations.retrievePage, { params })).body;
  };
  const sent = Array.from({ length: deliveryCount }, () => ({ state: 'DELIVERED' }));
  await expect.poll(found, { timeout: 30_000, interval: 100 }).toMatchObject({ deliveries: sent });
  return await found();
}

it('a server killed within a step loses no page and sends no message of it twice', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, placeOfSecond] of PLACES) {
      const { policyId, raise } = await newPagedAlarm();
      await server.arm(place);
      await raise().catch(() => undefined);
      await server.restartOnceKilled();
      const first = await pageWith(policyId, 1);
      await server.arm(placeOfSecond);
      await server.advance(STEP_SECONDS * 1_000);
      await server.restartOnceKilled();
      const { timeline, nextStepDateTime } = await pageWith(policyId, 2);
      expect(timeline.map(({ kind }) => kind)).toEqual(['STARTED', 'PAGED', 'PAGED']);
      const due = Date.parse(first.nextStepDateTime ?? '');
      const late = Date.parse(timeline.at(-1)?.dateTime ?? '') - due;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(nextStepDateTime).not.toBeNull();
    }
  }
}, 3_600_000);
