import { type Operation, operations, type PageDetails } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../support/call.ts';
import { FailingServer, newWatched } from '../support/failing-server.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';

/** Between each two statements that matter, and after the commit. */
const FAILPOINTS = ['page deliveries', 'page committed', 'page taken', 'page step', 'page saved'];
const KILLS = cases(50, 0.02);
const STEPS_PER_PAGE = cases(20, 0.3);
const STEP_SECONDS = 1;
/** A step is due to be run within a second; more is allowed for a machine that is busy. */
const MAX_LATE_MS = 3_000;

let receiver: Receiver;
let nodes: readonly [FailingServer, FailingServer];

/** A node that runs: of the two, at most one is killed. */
const living = () => (nodes[0].isKilled ? nodes[1] : nodes[0]);
const ask = (operation: Operation, given?: Call) => living().ask(operation, given);

beforeAll(async () => {
  receiver = await startReceiver();
  nodes = await FailingServer.startTwo();
});

afterAll(async () => {
  for (const node of nodes?.toReversed() ?? []) await node.stop();
  await receiver?.stop();
});

/** A page that begins now, with a step every second to a webhook of its own. */
async function newPage(): Promise<string> {
  const { create } = living();
  const { id: webhookId } = await create(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId }];
  const steps = Array.from({ length: STEPS_PER_PAGE }, (_, index) => {
    return { afterSeconds: index === 0 ? 0 : STEP_SECONDS, targets };
  });
  const { id: escalationPolicyId } = await create(operations.createEscalationPolicy, {
    body: { name: 'Policy', steps },
  });
  const { id: alarmGroupId } = await create(operations.createAlarmGroup, {
    body: { name: 'Group', escalationPolicyId },
  });
  const { report } = await newWatched(living(), { alarmGroupId, delaySeconds: 0 });
  const raised = await report(60);
  expect(raised.status, raised.text).toBe(200);
  return escalationPolicyId;
}

/** The pages of a policy; an answer that a kill has cut off is asked for again. */
async function pagesOf(policyId: string): Promise<PageDetails[]> {
  try {
    const { items } = (await ask(operations.listPages, { query: `policyId=${policyId}` })).body;
    const details = items.map(async ({ id: pageId }: { id: string }) => {
      return (await ask(operations.retrievePage, { params: { pageId } })).body;
    });
    return await Promise.all(details);
  } catch {
    return await pagesOf(policyId);
  }
}

/** How late each step of a page was after the one before it. */
function latenessesOf({ timeline }: PageDetails): number[] {
  const times = timeline.filter(({ kind }) => kind === 'PAGED').map((each) => each.dateTime);
  return times.slice(1).map((dateTime, index) => {
    return Date.parse(dateTime) - Date.parse(times[index] ?? '') - 1_000 * STEP_SECONDS;
  });
}

it('of two servers, either killed within a step, no page is lost and no message doubled', async () => {
  let kills = 0;
  let pages = 0;
  const latenesses: number[] = [];
  /** Kills a server in a step, and starts it again while the other one goes on. */
  const killOne = async (isOver: () => Promise<boolean>) => {
    const node = nodes[kills % 2 === 0 ? 0 : 1];
    await node.arm(FAILPOINTS[kills % FAILPOINTS.length] ?? '');
    while (!node.isKilled) {
      if (await isOver()) {
        await node.arm('');
        if (!node.isKilled) return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    kills += 1;
    await node.restartOnceKilled();
  };
  while (kills < KILLS) {
    const policyId = await newPage();
    pages += 1;
    const isOver = async () => (await pagesOf(policyId))[0]?.step === STEPS_PER_PAGE - 1;
    while (kills < KILLS && !(await isOver())) await killOne(isOver);
    await expect.poll(isOver, { timeout: 60_000, interval: 100 }).toBe(true);
    const states = async () =>
      (await pagesOf(policyId)).flatMap((page) =>
        page.deliveries.map(({ loop, step, state }) => `${loop} ${step} ${state}`),
      );
    const each = Array.from({ length: STEPS_PER_PAGE }, (_, step) => `0 ${step} DELIVERED`);
    await expect.poll(states, { timeout: 60_000, interval: 100 }).toEqual(each);
    const [page, ...others] = await pagesOf(policyId);
    expect(others).toEqual([]);
    latenesses.push(...(page ? latenessesOf(page) : []));
  }
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect({ sent: ids.length, different: new Set(ids).size }).toEqual({
    sent: pages * STEPS_PER_PAGE,
    different: pages * STEPS_PER_PAGE,
  });
  expect(Math.min(...latenesses)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...latenesses)).toBeLessThan(MAX_LATE_MS);
}, 3_600_000);
