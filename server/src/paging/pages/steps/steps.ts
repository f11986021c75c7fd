import {
  cancelUnsent,
  deliverPage,
  deliverToPaged,
  freeReplyCodes,
  type PageRecipient,
  toAddress,
} from '../../../notify/index.ts';
import type { NewId } from '../../../runtime/index.ts';
import type { Storage, Transaction } from '../../../storage/index.ts';
import type { AcknowledgeUrl } from '../link/index.ts';
import {
  type Action,
  acknowledged,
  actionOf,
  exhausted,
  type Run,
  reminded,
  repeated,
  resolved,
  restarted,
  resumed,
  stepped,
  suppressed,
  wakeAt,
} from '../machine/index.ts';
import { insertLog, type PageChange, type PageRow, runOf, savePage } from '../records/index.ts';
import { contentOf } from './content.ts';
import { factsOf, type KnownFacts } from './facts.ts';
import { recipientsOf } from './recipients.ts';
import * as store from './store.ts';

export interface StepsDeps {
  readonly newId: NewId;
  readonly acknowledgeUrl: AcknowledgeUrl;
  /** Called between the statements of a step, so that a test can end the process there. */
  readonly failpoint: (name: string) => void;
  /** Called after the commit of each step, with the time for which it had been due. */
  readonly onStep: (lateMs: number) => void;
  /** So long after its last reading a Device is offline, unless it has a window of its own. */
  readonly onlineMs: number;
}

const MAX_PAGES_PER_TURN = 100;
/** Those who were paged are notified at most once in this time that a chattering page is resolved. */
const RESOLUTION_INTERVAL_MS = 10 * 60_000;

/**
 * Does what is due of pages, each in one transaction. Returns when something is due next, which is
 * not after `now` where more may be due already; null while no page waits for anything.
 */
export async function runDuePages(
  deps: StepsDeps & { readonly storage: Storage },
  now: number,
): Promise<number | null> {
  const { storage, failpoint } = deps;
  // Without a transaction: mostly there is none.
  const nextAt = await store.findNextWake(storage);
  if (nextAt === null || nextAt > now) return nextAt;
  for (let count = 0; count < MAX_PAGES_PER_TURN; count += 1) {
    const latenesses = await storage.transaction(async (tx) => {
      const page = await store.lockDue(tx, now);
      if (!page) return null;
      failpoint('page taken');
      return await advance(tx, deps, page, now);
    });
    if (latenesses === null) return now;
    failpoint('page committed');
    for (const lateMs of latenesses) deps.onStep(lateMs);
  }
  return now;
}

/** Does what is due of a locked page. Returns for how long each step that it ran had been due. */
async function advance(
  tx: Transaction,
  deps: StepsDeps,
  page: PageRow,
  now: number,
): Promise<readonly number[]> {
  const { policy } = page;
  const latenesses: number[] = [];
  const facts = await factsOf(tx, page, { now, onlineMs: deps.onlineMs });
  let run = runOf(page);
  let change: PageChange = {};
  for (;;) {
    const action = actionOf(policy, run, facts, now);
    if (action === null) break;
    if (action === 'STEP') latenesses.push(now - (run.next?.at ?? now));
    const current = { ...page, ...change };
    const done = await perform(tx, deps, current, { action, run, now, facts });
    run = done.run;
    change = { ...change, ...done.change };
  }
  const { suppression } = facts;
  if (run.state === 'SUPPRESSED' && suppression) run = suppressed(run, suppression.graceMs, now);
  await savePage(tx, page, run, { ...change, wakeAt: wakeAt(policy, run, now) });
  deps.failpoint('page saved');
  return latenesses;
}

interface Performing {
  readonly action: Action;
  readonly run: Run;
  readonly now: number;
  readonly facts: KnownFacts;
}

interface Performed {
  readonly run: Run;
  readonly change?: PageChange;
}

async function perform(
  tx: Transaction,
  deps: StepsDeps,
  page: PageRow,
  performing: Performing,
): Promise<Performed> {
  const { action, run, now, facts } = performing;
  const by = facts.acknowledgedBy;
  const { policy } = page;
  if (action === 'STEP') {
    const isReached = await runStep(tx, deps, page, { run, now });
    return { run: stepped(policy, run, isReached, now) };
  }
  if (action === 'RESOLVE') return await resolve(tx, deps, page, { run, now, actor: null });
  if (action === 'EXHAUST') return await exhaust(tx, deps, page, { run, now });
  if (action === 'REMIND') return await remind(tx, deps, page, { run, now });
  const { organizationId, id: pageId } = page;
  const common = { organizationId, pageId, at: now };
  if (action === 'ACKNOWLEDGE') {
    await cancelUnsent(tx, organizationId, pageId);
    const detail = 'by acknowledging its events';
    await insertLog(tx, [{ ...common, kind: 'ACKNOWLEDGED', actor: by, detail }]);
    return { run: acknowledged(policy, run, now), change: { acknowledgedBy: by } };
  }
  if (action === 'SUPPRESS') {
    await cancelUnsent(tx, organizationId, pageId);
    const { detail = null, graceMs = 0 } = facts.suppression ?? {};
    await insertLog(tx, [{ ...common, kind: 'SUPPRESSED', detail }]);
    return { run: suppressed(run, graceMs, now) };
  }
  if (action === 'RESUME') {
    await insertLog(tx, [{ ...common, kind: 'RESUMED' }]);
    return { run: resumed(run, now) };
  }
  if (action === 'EXPIRE') {
    await insertLog(tx, [{ ...common, kind: 'EXPIRED' }]);
    const change = { acknowledgedBy: null, acknowledgedUserId: null };
    return { run: restarted(policy, run, now), change };
  }
  await insertLog(tx, [{ ...common, kind: 'REPEATED' }]);
  return { run: repeated(run, now) };
}

interface Moment {
  readonly run: Run;
  readonly now: number;
}

/** Pages the targets of the step that is due; false when it reached nobody. */
async function runStep(
  tx: Transaction,
  deps: StepsDeps,
  page: PageRow,
  { run: { next }, now }: Moment,
): Promise<boolean> {
  const { organizationId, id: pageId, severity, policy } = page;
  const { loop, step } = next ?? { loop: 0, step: 0 };
  const named = { organizationId, pageId };
  const targets = policy.steps[step]?.targets ?? [];
  const paging = { ...named, severity, now };
  const reached = await recipientsOf(tx, deps.acknowledgeUrl, targets, paging);
  const recipients: PageRecipient[] = [];
  for (const each of reached) {
    const isReached = each.recipients.length > 0;
    const row = { ...named, loop, step, target: each.target, isReached };
    if (!(await store.insertStep(tx, row, now))) continue;
    const kind = isReached ? 'PAGED' : 'NOBODY';
    await insertLog(tx, [{ ...named, kind, at: now, detail: `Step ${step + 1}: ${each.name}` }]);
    recipients.push(...each.recipients);
  }
  deps.failpoint('page step');
  const content = await contentOf(tx, page, 'PAGED', now);
  await deliverPage(tx, { newId: deps.newId, now }, { ...named, loop, step }, content, recipients);
  deps.failpoint('page deliveries');
  return recipients.length > 0;
}

/** Ends a page, and notifies those who were paged. */
export async function resolve(
  tx: Transaction,
  { newId }: Pick<StepsDeps, 'newId'>,
  page: PageRow,
  { run, now, actor }: Moment & { readonly actor: string | null },
): Promise<Performed> {
  const { organizationId, id: pageId, resolutionSentAt } = page;
  const named = { organizationId, pageId };
  await insertLog(tx, [{ ...named, kind: 'RESOLVED', at: now, actor }]);
  await cancelUnsent(tx, organizationId, pageId);
  await freeReplyCodes(tx, organizationId, pageId);
  const change = { endedAt: now };
  const isRecent = resolutionSentAt !== null && now - resolutionSentAt < RESOLUTION_INTERVAL_MS;
  if (isRecent) return { run: resolved(run), change };
  const step = { ...named, loop: run.loop, step: run.step ?? 0 };
  const content = await contentOf(tx, page, 'RESOLVED', now);
  const count = await deliverToPaged(tx, { newId, now }, step, content);
  return { run: resolved(run), change: count > 0 ? { ...change, resolutionSentAt: now } : change };
}

async function exhaust(
  tx: Transaction,
  { newId }: StepsDeps,
  page: PageRow,
  { run, now }: Moment,
): Promise<Performed> {
  const { organizationId, id: pageId } = page;
  const named = { organizationId, pageId };
  const administrators = page.isTest ? [] : await store.listAdministrators(tx, organizationId);
  const detail = administrators.length === 0 ? null : `mail to ${administrators.join(', ')}`;
  await insertLog(tx, [{ ...named, kind: 'EXHAUSTED', at: now, detail }]);
  const recipients = administrators.map((email) => ({
    destination: toAddress(organizationId, email),
    userId: null,
    dueAt: now,
    acknowledgeUrl: null,
  }));
  const content = await contentOf(tx, page, 'EXHAUSTED', now);
  // A test has no events that clear, so this is its end.
  if (page.isTest) await freeReplyCodes(tx, organizationId, pageId);
  const step = { ...named, loop: run.loop, step: page.policy.steps.length };
  await deliverPage(tx, { newId, now }, step, content, recipients);
  return { run: exhausted(page.policy, run, now) };
}

/** The one who acknowledged is reminded; of an exhausted page, all who were paged. */
async function remind(
  tx: Transaction,
  { newId }: StepsDeps,
  page: PageRow,
  { run, now }: Moment,
): Promise<Performed> {
  const { organizationId, id: pageId, acknowledgedUserId } = page;
  const named = { organizationId, pageId };
  const content = await contentOf(tx, page, 'REMINDED', now);
  const step = { ...named, loop: run.loop, step: run.step ?? 0 };
  await deliverToPaged(tx, { newId, now }, step, content, acknowledgedUserId);
  await insertLog(tx, [{ ...named, kind: 'REMINDED', at: now }]);
  return { run: reminded(page.policy, run, now) };
}

/** Pages one more person now, whatever the policy says. */
export async function pagePerson(
  tx: Transaction,
  { newId, acknowledgeUrl }: Pick<StepsDeps, 'newId' | 'acknowledgeUrl'>,
  page: PageRow,
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<string | null> {
  const { organizationId, id: pageId, severity } = page;
  const named = { organizationId, pageId };
  const targets = [{ kind: 'USER' as const, userId }];
  const paging = { ...named, severity, now };
  const [reached] = await recipientsOf(tx, acknowledgeUrl, targets, paging);
  if (!reached || reached.recipients.length === 0) return null;
  const { loop } = page;
  const step = page.step ?? 0;
  const target = `REASSIGNED ${userId} ${now}`;
  await store.insertStep(tx, { ...named, loop, step, target, isReached: true }, now);
  const content = await contentOf(tx, page, 'PAGED', now);
  await deliverPage(tx, { newId, now }, { ...named, loop, step }, content, reached.recipients);
  return reached.name;
}
