import { acknowledgeOpen } from '../../alarms/index.ts';
import { cancelUnsent, freeReplyCodes } from '../../notify/index.ts';
import { Failure, invalid, type NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { AcknowledgeUrl } from './link/index.ts';
import { acknowledged, escalated, type Run, reassigned, wakeAt } from './machine/index.ts';
import {
  insertLog,
  listOpenEvents,
  type PageChange,
  type PageRow,
  runOf,
  savePage,
} from './records/index.ts';
import { pagePerson, resolve } from './steps/index.ts';

export interface HandlingDeps {
  readonly newId: NewId;
  readonly acknowledgeUrl: AcknowledgeUrl;
}

/** A person who handles a page. */
export interface Handler {
  readonly userId: string;
  /** Their email. */
  readonly name: string;
  readonly now: number;
  /** How they did it, where that is not by signing in. */
  readonly by?: string;
}

interface Handled {
  readonly run: Run;
  readonly now: number;
  readonly change: PageChange;
}

async function save(tx: Transaction, page: PageRow, { run, now, change }: Handled): Promise<void> {
  await savePage(tx, page, run, { ...change, wakeAt: wakeAt(page.policy, run, now) });
}

/** Nobody has it, and people are wanted: from now on it is not suppressed. */
const UNANSWERED = { acknowledgedBy: null, acknowledgedUserId: null, ignoresSuppression: true };

function requireOpen(page: PageRow): void {
  if (page.state === 'RESOLVED') throw new Failure('CONFLICT', 'The page is resolved.');
}

/** Ends the steps of a locked page, and acknowledges its events. The first acknowledgement counts. */
export async function acknowledgeLocked(
  tx: Transaction,
  { newId }: Pick<HandlingDeps, 'newId'>,
  page: PageRow,
  { userId, name, now, by }: Handler,
): Promise<void> {
  const { organizationId, id: pageId } = page;
  if (page.state === 'ACKNOWLEDGED') return;
  requireOpen(page);
  const entry = { organizationId, pageId, at: now, actor: name, detail: by ?? null };
  await insertLog(tx, [{ ...entry, kind: 'ACKNOWLEDGED' }]);
  await cancelUnsent(tx, organizationId, pageId);
  // A test has no events that clear, so this is its end.
  if (page.isTest) await freeReplyCodes(tx, organizationId, pageId);
  const run = acknowledged(page.policy, runOf(page), now);
  const change = { acknowledgedBy: name, acknowledgedUserId: userId };
  await save(tx, page, { run, now, change });
  const eventIds = await listOpenEvents(tx, organizationId, pageId);
  await acknowledgeOpen(tx, organizationId, eventIds, { actor: name, now }, newId);
}

export async function escalateLocked(
  tx: Transaction,
  page: PageRow,
  { name: actor, now, by: detail }: Handler,
): Promise<void> {
  requireOpen(page);
  const { organizationId, id: pageId } = page;
  const entry = { organizationId, pageId, at: now, actor, detail: detail ?? null };
  await insertLog(tx, [{ ...entry, kind: 'ESCALATED' }]);
  const run = escalated(page.policy, runOf(page), now);
  await save(tx, page, { run, now, change: UNANSWERED });
}

/** Pages another person, who has time before the next step. */
export async function reassignLocked(
  tx: Transaction,
  deps: HandlingDeps,
  page: PageRow,
  { userId, note, handler }: { userId: string; note: string | undefined; handler: Handler },
): Promise<void> {
  requireOpen(page);
  const { organizationId, id: pageId } = page;
  const { name: actor, now } = handler;
  const name = await pagePerson(tx, deps, page, { userId, now });
  if (name === null) {
    throw invalid({
      path: 'userId',
      message: `names no active member who can be paged: ${userId}`,
    });
  }
  const detail = note === undefined ? `to ${name}` : `to ${name}: ${note}`;
  await insertLog(tx, [{ organizationId, pageId, kind: 'REASSIGNED', at: now, actor, detail }]);
  const run = reassigned(page.policy, runOf(page), now);
  await save(tx, page, { run, now, change: UNANSWERED });
}

export async function resolveLocked(
  tx: Transaction,
  { newId }: Pick<HandlingDeps, 'newId'>,
  page: PageRow,
  { name: actor, now }: Handler,
): Promise<void> {
  if (page.state === 'RESOLVED') return;
  const { run, change = {} } = await resolve(tx, { newId }, page, { run: runOf(page), now, actor });
  await save(tx, page, { run, now, change });
}
