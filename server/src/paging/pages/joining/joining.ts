import type { Severity } from '@fieldwatch/contract';
import type { Notification } from '../../../notify/index.ts';
import type { NewId } from '../../../runtime/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { type Run, reopened, restarted, startRun, wakeAt } from '../machine/index.ts';
import {
  insertLog,
  insertPages,
  type LogEntry,
  runOf,
  savePage,
  wakeSuppressible,
} from '../records/index.ts';
import { CHATTER_EVENTS, CHATTER_WINDOW_MS, groupKeyOf, joiningOf } from './grouping.ts';
import * as store from './store.ts';

/** A page while notifications join it. */
interface Draft {
  readonly organizationId: string;
  readonly id: string;
  readonly key: string;
  readonly source: store.GroupPolicy;
  /** Null for a page that begins here. */
  readonly row: store.KeyedPage | null;
  readonly createdAt: number;
  readonly storedRun: Run | null;
  run: Run;
  severity: Severity;
  chatterCount: number;
  joinedCount: number;
}

interface Raised {
  readonly organizationId: string;
  readonly event: Notification['event'];
  readonly source: store.GroupPolicy;
  readonly key: string;
}

/**
 * Starts or joins pages by raised events, in the transaction that takes their notifications out of
 * the outbox. Pages of events that were cleared or acknowledged are looked at next.
 */
export async function joinPages(
  tx: Transaction,
  newId: NewId,
  notifications: readonly Notification[],
  now: number,
): Promise<void> {
  const raised = notifications.filter(({ kind }) => kind === 'RAISED');
  if (raised.length > 0) await joinRaised(tx, newId, raised, now);
  // The Device of the event may be why those behind it are paged.
  const above = raised.filter(({ devicesBehind = 0 }) => devicesBehind > 0);
  for (const organizationId of new Set(above.map((each) => each.organizationId))) {
    await wakeSuppressible(tx, organizationId, now);
  }
  const changed = notifications.filter(({ kind }) => kind !== 'RAISED');
  const events = changed.map(({ organizationId, event: { id: eventId } }) => {
    return { organizationId, eventId };
  });
  if (events.length > 0) await store.wakePagesOf(tx, events, now);
}

async function joinRaised(
  tx: Transaction,
  newId: NewId,
  notifications: readonly Notification[],
  now: number,
): Promise<void> {
  const raised = await withPolicies(tx, notifications);
  if (raised.length === 0) return;
  const drafts = await openDrafts(tx, raised);
  const alarms = await alarmsOf(tx, raised, now);
  await addChattering(tx, drafts, raised, alarms);
  const joined: store.NewPageEvent[] = [];
  const log: LogEntry[] = [];
  for (const each of raised) {
    const { organizationId, event } = each;
    const alarm = alarms.get(event.alarmId) ?? { eventCount: 0, pageId: '' };
    const { draft, entries } = place(drafts, { newId, raised: each, alarm, now });
    log.push(...entries);
    alarms.set(event.alarmId, { eventCount: alarm.eventCount + 1, pageId: draft.id });
    const { id: eventId, alarmId, severity } = event;
    joined.push({ organizationId, pageId: draft.id, eventId, alarmId, severity });
  }
  await save(tx, new Set(drafts.values()), { joined, log, now });
}

/** Those of the notifications whose alarm group has an escalation policy. */
async function withPolicies(
  tx: Transaction,
  notifications: readonly Notification[],
): Promise<Raised[]> {
  const groups = new Map(
    notifications.flatMap(({ organizationId, event: { alarmGroupId } }) =>
      alarmGroupId === null ? [] : [[alarmGroupId, { organizationId, alarmGroupId }] as const],
    ),
  );
  if (groups.size === 0) return [];
  const policies = await store.lockPolicies(tx, [...groups.values()]);
  const policyOf = new Map(policies.map((each) => [each.alarmGroupId, each]));
  return notifications.flatMap(({ organizationId, event }) => {
    const source = policyOf.get(event.alarmGroupId ?? '');
    if (!source) return [];
    const key = `${source.policyId} ${groupKeyOf(source.groupBy, event)}`;
    return [{ organizationId, event, source, key }];
  });
}

/** Drafts by their key, and by their id. */
type Drafts = Map<string, Draft>;

async function openDrafts(tx: Transaction, raised: readonly Raised[]): Promise<Drafts> {
  const keys = new Map(
    raised.map(({ organizationId, source: { policyId }, key }) => [
      key,
      { organizationId, policyId, groupKey: key.slice(policyId.length + 1) },
    ]),
  );
  const sources = new Map(raised.map(({ source }) => [source.policyId, source]));
  const drafts: Drafts = new Map();
  for (const row of await store.lockNewest(tx, [...keys.values()])) {
    const source = sources.get(row.policyId ?? '');
    if (source) addDraft(drafts, draftOf(row, source), true);
  }
  return drafts;
}

function draftOf(row: store.KeyedPage, source: store.GroupPolicy): Draft {
  const { organizationId, id, severity, createdAt, chatterCount } = row;
  const key = `${source.policyId} ${row.groupKey}`;
  const stored = { organizationId, id, severity, createdAt, chatterCount };
  const run = runOf(row);
  return { ...stored, key, source, row, storedRun: run, run, joinedCount: 0 };
}

function addDraft(drafts: Drafts, draft: Draft, isNewest: boolean): void {
  drafts.set(draft.id, draft);
  if (isNewest) drafts.set(draft.key, draft);
}

type AlarmCounts = Map<string, { readonly eventCount: number; readonly pageId: string }>;

async function alarmsOf(
  tx: Transaction,
  raised: readonly Raised[],
  now: number,
): Promise<AlarmCounts> {
  const alarms = new Map(
    raised.map(({ organizationId, event: { alarmId } }) => [alarmId, { organizationId, alarmId }]),
  );
  const found = await store.listAlarmPages(tx, [...alarms.values()], now - CHATTER_WINDOW_MS);
  return new Map(found.map(({ alarmId, ...counts }) => [alarmId, counts]));
}

/** The pages that events of chattering Alarms join, where they are not the newest of their key. */
async function addChattering(
  tx: Transaction,
  drafts: Drafts,
  raised: readonly Raised[],
  alarms: AlarmCounts,
): Promise<void> {
  const wanted = new Map<string, { organizationId: string; pageId: string }>();
  for (const { organizationId, event } of raised) {
    const { pageId = '' } = alarms.get(event.alarmId) ?? {};
    if (pageId !== '' && !drafts.has(pageId)) wanted.set(pageId, { organizationId, pageId });
  }
  const sources = new Map(raised.map(({ source }) => [source.policyId, source]));
  for (const row of await store.lockPages(tx, [...wanted.values()])) {
    const source = sources.get(row.policyId ?? '');
    if (source) addDraft(drafts, draftOf(row, source), false);
  }
}

interface Placing {
  readonly newId: NewId;
  readonly raised: Raised;
  readonly alarm: { readonly eventCount: number; readonly pageId: string };
  readonly now: number;
}

/** The page of one event, changed by it, and what its timeline says. */
function place(drafts: Drafts, placing: Placing): { draft: Draft; entries: LogEntry[] } {
  const { raised, alarm, now } = placing;
  const { organizationId, event, source, key } = raised;
  const entry = (draft: Draft, kind: string, detail: string): LogEntry => {
    return { organizationId, pageId: draft.id, kind, at: now, detail };
  };
  const title = `[${event.severity}] ${event.alarmName}: ${event.deviceName}`;
  const known = drafts.get(alarm.pageId);
  if (alarm.eventCount >= CHATTER_EVENTS && known?.source.policyId === source.policyId) {
    const policy = known.row?.policy ?? source.policy;
    known.run = reopened(policy, known.run, now);
    known.chatterCount += 1;
    const isFirst = known.chatterCount === 1;
    return { draft: known, entries: isFirst ? [entry(known, 'CHATTERING', title)] : [] };
  }
  const newest = drafts.get(key);
  const current = newest && { ...newest, state: newest.run.state };
  const joining = joiningOf(current, event.severity, { groupSeconds: source.groupSeconds, now });
  if (!newest || joining === 'NEW') {
    const draft = newDraft(placing);
    addDraft(drafts, draft, true);
    return { draft, entries: [entry(draft, 'STARTED', title)] };
  }
  newest.joinedCount += 1;
  if (joining === 'JOIN') return { draft: newest, entries: [] };
  // Before its first step a page has nothing to repeat.
  const policy = newest.row?.policy ?? source.policy;
  if (newest.run.step !== null) newest.run = restarted(policy, newest.run, now);
  newest.severity = event.severity;
  return { draft: newest, entries: [entry(newest, 'RESTARTED', title)] };
}

function newDraft({ newId, raised, now }: Placing): Draft {
  const { organizationId, source, key, event } = raised;
  return {
    organizationId,
    id: newId(),
    key,
    source,
    row: null,
    createdAt: now,
    storedRun: null,
    run: startRun(source.policy, now),
    severity: event.severity,
    chatterCount: 0,
    joinedCount: 0,
  };
}

interface Saving {
  readonly joined: readonly store.NewPageEvent[];
  readonly log: LogEntry[];
  readonly now: number;
}

async function save(
  tx: Transaction,
  drafts: ReadonlySet<Draft>,
  { joined, log, now }: Saving,
): Promise<void> {
  const begun = [...drafts].filter(({ row }) => row === null);
  await insertPages(
    tx,
    begun.map(({ organizationId, id, key, source, run, severity }) => {
      const { policyId, name: policyName, policy } = source;
      const groupKey = key.slice(policyId.length + 1);
      const named = { organizationId, id, policyId, policyName, policy, groupKey, severity };
      return { ...named, isTest: false, run, wakeAt: wakeAt(policy, run, now), now };
    }),
  );
  await store.insertPageEvents(tx, joined, now);
  for (const { row, storedRun, run, severity, chatterCount } of drafts) {
    const isSame = run === storedRun && chatterCount === row?.chatterCount;
    if (!row || (isSame && severity === row.severity)) continue;
    const endedAt = run.state === 'RESOLVED' ? row.endedAt : null;
    const change = { severity, chatterCount, endedAt, wakeAt: wakeAt(row.policy, run, now) };
    await savePage(tx, row, run, change);
  }
  for (const { organizationId, id: pageId, joinedCount } of drafts) {
    if (joinedCount === 0) continue;
    const detail = joinedCount === 1 ? '1 more event' : `${joinedCount} more events`;
    log.push({ organizationId, pageId, kind: 'JOINED', at: now, detail });
  }
  await insertLog(tx, log);
}
