import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Operation, operations, type PageDetails } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answered, basic, type Call, call } from '../support/call.ts';
import { createDataDir } from '../support/data-dir.ts';
import { failingServerEnv, KEY, organizationId } from '../support/failing-server-env.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { SHORT_LIVED } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { SECRET_KEY } from '../support/server.ts';
import { cases } from '../support/soak.ts';

const SCRIPT = fileURLToPath(new URL('../support/failing-server.mjs', import.meta.url));
const auth = basic(KEY.id, KEY.secret);
/** Between each two statements that matter, and after the commit. */
const FAILPOINTS = ['page deliveries', 'page committed', 'page taken', 'page step', 'page saved'];
const KILLS = cases(50, 0.02);
const STEPS_PER_PAGE = cases(20, 0.3);
const STEP_SECONDS = 1;
/** A step is due to be run within a second; more is allowed for a machine that is busy. */
const MAX_LATE_MS = 3_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let receiver: Receiver;

/** A server that is started again after it was killed. */
class Node {
  readonly #dataDir = createDataDir();
  #child: ChildProcess | null = null;
  url = '';

  get isKilled(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async start(): Promise<void> {
    const env = failingServerEnv({
      databaseUrl: database.url,
      dataDir: this.#dataDir.path,
      smtpUrl: 'smtp://127.0.0.1:1',
    });
    for (;;) {
      const child = fork(SCRIPT, ['0'], {
        env: { ...env, FIELDWATCH_SECRET_KEY: SECRET_KEY },
        execArgv: SHORT_LIVED,
        stdio: 'ignore',
      });
      this.#child = child;
      const first = await Promise.race([once(child, 'message'), once(child, 'exit')]);
      this.url = first[0]?.url ?? '';
      // The other server may just end the connections of the one that was killed: it is started again.
      if (this.url !== '') return;
    }
  }

  /** It ends itself when it comes there. */
  async arm(failpoint: string): Promise<void> {
    if (this.#child === null) throw new Error('not started');
    this.#child.send(failpoint);
    await once(this.#child, 'message');
  }

  async end(): Promise<void> {
    if (!this.isKilled && this.#child) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    this.#dataDir.remove();
  }
}

const nodes = [new Node(), new Node()] as const;

const ask = (operation: Operation, given: Call = {}): Promise<Answered> => {
  const url = nodes.find(({ isKilled }) => !isKilled)?.url ?? '';
  return call(url, operation, { auth, ...given, params: { organizationId, ...given.params } });
};

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  for (const node of nodes) await node.start();
});

afterAll(async () => {
  for (const node of nodes) await node.end();
  await receiver.stop();
  await database.drop();
});

const made = async (operation: Operation, given: Call): Promise<{ id: string }> => {
  const { status, text, body } = await ask(operation, given);
  expect(status, text).toBe(201);
  return body;
};

/** A page that begins now, with a step every second to a webhook of its own. */
async function newPage(): Promise<string> {
  const webhook = await made(operations.createWebhook, {
    body: { name: 'Webhook', url: receiver.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const steps = Array.from({ length: STEPS_PER_PAGE }, (_, index) => {
    return { afterSeconds: index === 0 ? 0 : STEP_SECONDS, targets };
  });
  const { id: escalationPolicyId } = await made(operations.createEscalationPolicy, {
    body: { name: 'Policy', steps },
  });
  const { id: alarmGroupId } = await made(operations.createAlarmGroup, {
    body: { name: 'Group', escalationPolicyId },
  });
  const { id: deviceId } = await made(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator' },
  });
  const { id: deviceVariableId } = await made(operations.createVariable, {
    params: { deviceId },
    body: { topicPropertyPath: 'point', type: 'NUMBER', name: 'Point', isLoggingEnabled: true },
  });
  const terms = { operator: 'GREATER_THAN', thresholdValueNumber: 50, delayProcessingSeconds: 0 };
  await made(operations.createAlarm, {
    body: { name: 'Too hot', isActive: true, deviceId, deviceVariableId, alarmGroupId, ...terms },
  });
  const raised = await ask(operations.writeReadings, {
    params: { deviceId },
    body: { data: { point: 60 } },
  });
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
      if (await isOver()) return await node.arm('');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    kills += 1;
    await node.start();
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
