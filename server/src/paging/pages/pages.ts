import type { Operations, PageDetails } from '@fieldwatch/contract';
import type { Caller, Change, Handler } from '../../http/index.ts';
import type { Notification } from '../../notify/index.ts';
import { type Clock, type Keyring, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import * as handling from './handling.ts';
import { joinPages } from './joining/index.ts';
import { acknowledgeUrls, askPage, donePage, grantOf } from './link/index.ts';
import { startRun, wakeAt } from './machine/index.ts';
import { changesOf, pageRecord, requireDetails } from './record.ts';
import {
  insertLog,
  insertPages,
  lockPage,
  type PageRow,
  wakeSuppressible,
} from './records/index.ts';
import { createReplies, createTakeKey, type Replies, type TakeKey } from './replies/index.ts';
import { runDuePages } from './steps/index.ts';
import * as store from './store.ts';

export interface PagesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Where people reach the server; null where they cannot. */
  readonly publicUrl: string | null;
  /** Called after the commit of whatever made something due, of events of the organization too. */
  readonly onChanged: (organizationId: string) => void;
  readonly failpoint: (name: string) => void;
  /** After how many minutes without a reading a Device is offline. */
  readonly onlineMinutes: number;
}

/** Runs of escalation policies. */
export interface Pages {
  readonly list: Handler<Operations['listPages']>;
  readonly retrieve: Handler<Operations['retrievePage']>;
  readonly acknowledge: Handler<Operations['acknowledgePage']>;
  readonly escalate: Handler<Operations['escalatePage']>;
  readonly reassign: Handler<Operations['reassignPage']>;
  readonly resolve: Handler<Operations['resolvePage']>;
  readonly createTest: Handler<Operations['createTestPage']>;
  readonly showLink: Handler<Operations['showPageLink']>;
  readonly acknowledgeByLink: Handler<Operations['acknowledgePageByLink']>;
  readonly replies: Replies;
  readonly takeKey: TakeKey;
  /** Starts and joins pages, in the transaction that takes the notifications out of the outbox. */
  join(tx: Transaction, notifications: readonly Notification[], now: number): Promise<void>;
  /** Does what is due of pages; returns when to call it again, null while no page waits. */
  runDue(now: number): Promise<number | null>;
  /** What may suppress pages of the organization began or ended, in the transaction of that. */
  wakeSuppressible(tx: Transaction, organizationId: string, now: number): Promise<void>;
  /** Deletes some of the pages that are over for longer than they are kept. */
  deleteOld(now: number): Promise<void>;
  /** How many pages there are in each state that is not resolved. */
  countOpen(): Promise<Readonly<Record<string, number>>>;
  /** How many steps are due now, and how many of them for too long. */
  countDue(): Promise<Readonly<Record<'due' | 'late', number>>>;
  /** The steps that this server has run since its start, by whether they were late. */
  stepTotals(): Readonly<Record<'on_time' | 'late', number>>;
}

/** Pages are kept for two years after their end, tests after their start. */
const RETENTION_MS = 730 * 24 * 3_600_000;
/** Of each kind, at a time: a page has up to thousands of events. */
const DELETION_BATCH_SIZE = 500;
/** A step that was due for longer is late; it is due to be run within about a second. */
const LATE_MS = 5_000;

export function createPages(deps: PagesDeps): Pages {
  const { storage, newId, keyring, publicUrl, failpoint } = deps;
  const onlineMs = deps.onlineMinutes * 60_000;
  const key = keyring.derive('page link');
  const steps = { on_time: 0, late: 0 };
  const onStep = (lateMs: number) => {
    steps[lateMs > LATE_MS ? 'late' : 'on_time'] += 1;
  };
  const acknowledgeUrl = acknowledgeUrls(key, publicUrl);
  const acting = { newId, failpoint, onStep, onlineMs, acknowledgeUrl };
  return {
    async list({ params: { organizationId }, query }) {
      const filter = { states: query.states ?? [], policyId: query.policyId ?? null };
      const { count, rows } = await store.listPages(storage, organizationId, filter, query);
      return { body: { count, items: rows.map(pageRecord) } };
    },
    async retrieve({ params: { organizationId, pageId } }) {
      return { body: await requireDetails(storage, organizationId, pageId) };
    },
    acknowledge: ({ params }, context) =>
      handled(deps, params, context, (page, by) =>
        handling.acknowledgeLocked(context.tx, acting, page, by),
      ),
    escalate: ({ params }, context) =>
      handled(deps, params, context, (page, by) => handling.escalateLocked(context.tx, page, by)),
    reassign: ({ params, body: { userId, note } }, context) =>
      handled(deps, params, context, (page, handler) =>
        handling.reassignLocked(context.tx, acting, page, { userId, note, handler }),
      ),
    resolve: ({ params }, context) =>
      handled(deps, params, context, (page, by) =>
        handling.resolveLocked(context.tx, acting, page, by),
      ),
    createTest: createTest(deps),
    async showLink({ params: { token } }, { now }) {
      if (!grantOf(key, token, now)) throw notFound('link of a page');
      return { body: askPage() };
    },
    acknowledgeByLink: acknowledgeByLink(deps, key),
    replies: createReplies(deps),
    takeKey: createTakeKey(deps),
    join: (tx, notifications, now) => joinPages(tx, newId, notifications, now),
    wakeSuppressible,
    runDue: (now) => runDuePages({ ...acting, storage }, now),
    deleteOld: (now) => store.deleteEnded(storage, now - RETENTION_MS, DELETION_BATCH_SIZE),
    async countOpen() {
      const rows = await store.countOpen(storage);
      return Object.fromEntries(rows.map(({ state, count }) => [state.toLowerCase(), count]));
    },
    countDue: () => store.countDueSteps(storage, deps.clock.now(), LATE_MS),
    stepTotals: () => steps,
  };
}

interface PageName {
  readonly organizationId: string;
  readonly pageId: string;
}

/** Lets a person do something to a page that is locked meanwhile. */
async function handled(
  { onChanged }: PagesDeps,
  { organizationId, pageId }: PageName,
  { tx, now, caller }: { tx: Transaction; now: number; caller: Caller },
  handle: (page: PageRow, handler: handling.Handler) => Promise<void>,
): Promise<{ body: PageDetails; changes: Change[] }> {
  const page = await lockPage(tx, organizationId, pageId);
  if (!page) throw notFound('page');
  const before = await requireDetails(tx, organizationId, pageId);
  await handle(page, { userId: caller.id, name: caller.name, now });
  tx.afterCommit(() => onChanged(organizationId));
  const body = await requireDetails(tx, organizationId, pageId);
  return { body, changes: changesOf(organizationId, before, body) };
}

function createTest({ newId, onChanged }: PagesDeps): Pages['createTest'] {
  return async ({ params: { organizationId } }, { tx, now, caller }) => {
    const id = newId();
    const target = { kind: 'USER' as const, userId: caller.id };
    const policy = {
      steps: [{ afterSeconds: 0, unless: 'ACKNOWLEDGED' as const, targets: [target] }],
      repeat: 0,
      acknowledgeTimeoutSeconds: null,
      reminderMinutes: null,
    };
    const run = startRun(policy, now);
    const named = { organizationId, id, policyId: null, policyName: 'Test', policy, groupKey: '' };
    const state = {
      severity: 'INFO' as const,
      isTest: true,
      run,
      wakeAt: wakeAt(policy, run, now),
    };
    await insertPages(tx, [{ ...named, ...state, now }]);
    const entry = { organizationId, pageId: id, kind: 'STARTED', at: now, actor: caller.name };
    await insertLog(tx, [entry]);
    tx.afterCommit(() => onChanged(organizationId));
    const body = await requireDetails(tx, organizationId, id);
    return { body, changes: changesOf(organizationId, undefined, body) };
  };
}

function acknowledgeByLink(
  { newId, onChanged }: PagesDeps,
  key: Buffer,
): Pages['acknowledgeByLink'] {
  return async ({ params: { token } }, { tx, now }) => {
    const grant = grantOf(key, token, now);
    if (!grant) throw notFound('link of a page');
    const { organizationId, pageId, userId } = grant;
    const page = await lockPage(tx, organizationId, pageId);
    const name = page && (await store.findMemberEmail(tx, organizationId, userId));
    if (!page || !name) throw notFound('link of a page');
    if (page.state === 'RESOLVED') return { body: donePage('RESOLVED'), changes: [] };
    const before = await requireDetails(tx, organizationId, pageId);
    const handler = { userId, name, now, by: 'by link' };
    await handling.acknowledgeLocked(tx, { newId }, page, handler);
    tx.afterCommit(() => onChanged(organizationId));
    const after = await requireDetails(tx, organizationId, pageId);
    const actor = { kind: 'USER' as const, id: userId, name: `${name}, by link` };
    const changes = changesOf(organizationId, before, after).map((each) => ({ ...each, actor }));
    return { body: donePage('ACKNOWLEDGED'), changes };
  };
}
