import { recordSuppressions, type Suppression } from '../../../alarms/index.ts';
import { onlineVariableIdOf } from '../../../presence/index.ts';
import type { NewId } from '../../../runtime/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { Candidate } from '../candidate.ts';
import { type HeldRow, heldName, insertHeld } from '../held/index.ts';
import { type Cause, Causes } from './causes.ts';
import * as store from './store.ts';
import { listWaiting, returnWaiting } from './waiting/index.ts';

/**
 * How long the notification of a Device with one above it waits. The window of the Device may end
 * before that of the one above, which is then noticed as offline within this time.
 */
const WAIT_MS = 90_000;

/** Holds back what follows from a Device above that is offline; returns the rest. */
export async function holdBehindOffline<N extends Candidate>(
  tx: Transaction,
  candidates: readonly N[],
  { newId, now }: { readonly newId: NewId; readonly now: number },
): Promise<N[]> {
  const offline = candidates.filter(isOffline);
  if (offline.length === 0) return [...candidates];
  const causes = await Causes.load(tx, offline, newId);
  const held: HeldRow[] = [];
  const suppressions: Suppression[] = [];
  const sent: N[] = [];
  for (const candidate of offline) {
    const cause = causes.of(candidate);
    if (cause.action === 'SEND') {
      sent.push({ ...candidate, digest: cause.digest ?? candidate.digest });
      continue;
    }
    held.push(heldRow(candidate, cause, now));
    if (cause.action === 'HOLD') suppressions.push(suppressionOf(candidate, cause));
  }
  await insertHeld(tx, held);
  await recordSuppressions(tx, suppressions, now);
  await store.saveOutages(tx, causes.begun());
  await returnBehind(tx, sent);
  const sentById = new Map((await withCounts(tx, sent)).map((each) => [each.id, each]));
  return candidates.flatMap((each) => (isOffline(each) ? (sentById.get(each.id) ?? []) : each));
}

/**
 * Returns notifications that wait for one of the reported Devices to the outbox: a Device above that
 * is online again before the end of the wait explains them, too.
 */
async function returnBehind(tx: Transaction, sent: readonly Candidate[]): Promise<void> {
  if (sent.length === 0) return;
  const organizationIds = new Set(sent.map(({ organizationId }) => organizationId));
  const waiting = await listWaiting(tx, [...organizationIds]);
  if (waiting.length === 0) return;
  const reported = new Set(sent.map(({ event }) => event.deviceId));
  const above = await store.listAbove(tx, waiting);
  const behind = waiting.filter(({ deviceId }) =>
    above.get(deviceId)?.some(({ id }) => reported.has(id)),
  );
  await returnWaiting(
    tx,
    behind.map(({ id }) => id),
  );
}

/** An event that says that its Device is offline. */
function isOffline({ event }: Candidate): boolean {
  return (
    event.deviceVariableId === onlineVariableIdOf(event.deviceId) && event.raisedValue === false
  );
}

function heldRow(
  candidate: Candidate,
  cause: Exclude<Cause, { action: 'SEND' }>,
  now: number,
): HeldRow {
  const { causeId } = cause;
  const name = heldName(candidate);
  if (cause.action === 'HOLD') return { ...name, reason: 'TOPOLOGY', causeId, dueAt: null };
  return { ...name, reason: 'WAIT', causeId, dueAt: Math.max(candidate.at + WAIT_MS, now) };
}

function suppressionOf(
  { organizationId, event }: Candidate,
  { underEventId: id, detail }: Extract<Cause, { action: 'HOLD' }>,
): Suppression {
  return { organizationId, eventId: event.id, kind: 'TOPOLOGY', id, detail };
}

/** With the number of Devices that cannot be reached either. */
async function withCounts<N extends Candidate>(tx: Transaction, sent: readonly N[]): Promise<N[]> {
  if (sent.length === 0) return [];
  const behind = await store.countBehind(tx, sent.map(store.deviceName));
  return sent.map((each) => {
    const devicesBehind = behind.get(each.event.deviceId);
    return devicesBehind === undefined ? each : { ...each, devicesBehind };
  });
}

/** Set when each of the events says that a Device is offline behind one whose own event says so. */
export async function findReportedAbove(
  tx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  onlineMs: number,
): Promise<{ readonly detail: string; readonly graceMs: number } | null> {
  const events = await store.listOfflineEvents(tx, organizationId, eventIds, onlineMs);
  if (events.length < eventIds.length) return null;
  const names = events.map(({ deviceId }) => ({ organizationId, deviceId }));
  const above = await store.listAbove(tx, names);
  const offline = [...above.values()].flat().filter(({ isOffline }) => isOffline);
  const reported = await store.findOfflineState(tx, [
    ...new Map(offline.map((each) => [each.id, each])).values(),
  ]);
  const causes = names.map(({ deviceId }) =>
    above.get(deviceId)?.find(({ id, isOffline }) => isOffline && reported.events.has(id)),
  );
  const [first] = causes;
  if (!first || causes.includes(undefined)) return null;
  const graceMs = 2 * Math.max(...events.map(({ windowMs }) => windowMs));
  return { detail: `${first.name} is offline`, graceMs };
}
