import { recordSuppressions } from '../../alarms/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { periodAt } from '../schedule/index.ts';
import type { Candidate } from './candidate.ts';
import { listCovered, lockPendingWindows, type PendingWindow } from './covered/index.ts';
import { heldName, insertHeld } from './held/index.ts';

/** A period whose end was acted on is over, also for a transaction that began before. */
export function inProgress(windows: readonly PendingWindow[], now: number): PendingWindow[] {
  return windows.filter((window) => {
    const period = periodAt(window, now);
    return period !== null && window.nextAt <= period.to;
  });
}

/** Holds back what a maintenance window covers; returns the rest. */
export async function holdDuringMaintenance<N extends Candidate>(
  tx: Transaction,
  candidates: readonly N[],
  now: number,
): Promise<readonly N[]> {
  if (candidates.length === 0) return candidates;
  const organizationIds = [...new Set(candidates.map(({ organizationId }) => organizationId))];
  const windows = await lockPendingWindows(tx, organizationIds);
  const active = inProgress(windows, now);
  if (active.length === 0) return candidates;
  const covered = await listCovered(
    tx,
    candidates.map(({ organizationId, event }) => ({ organizationId, eventId: event.id })),
    active.map(({ id }) => id),
  );
  const windowOf = new Map(covered.map(({ eventId, windowId }) => [eventId, windowId]));
  const byId = new Map(active.map((window) => [window.id, window]));
  const held = candidates.flatMap((candidate) => {
    const window = byId.get(windowOf.get(candidate.event.id) ?? '');
    return window ? [{ candidate, window }] : [];
  });
  const rows = held.map(({ candidate, window }) => {
    const causeId = window.id;
    return { ...heldName(candidate), reason: 'MAINTENANCE' as const, causeId, dueAt: null };
  });
  await insertHeld(tx, rows);
  const suppressions = held.map(({ candidate: { organizationId, event }, window }) => ({
    organizationId,
    eventId: event.id,
    kind: window.mode === 'TEST' ? ('TEST' as const) : ('MAINTENANCE' as const),
    id: window.id,
    detail: window.reason,
  }));
  await recordSuppressions(tx, suppressions, now);
  const ids = new Set(rows.map(({ id }) => id));
  return candidates.filter(({ id }) => !ids.has(id));
}
