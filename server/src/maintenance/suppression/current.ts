import type { Transaction } from '../../storage/index.ts';
import { listCovered, listPendingWindows } from './covered/index.ts';
import { inProgress } from './maintenance-hold.ts';
import { findReportedAbove } from './topology/index.ts';

/** Why nobody is paged now about events that were reported before. */
export interface CurrentSuppression {
  /** The reason of the window, or which Device above is offline. */
  readonly detail: string;
  /** So long after its end the events may clear by themselves. */
  readonly graceMs: number;
}

/**
 * Set when each of the events is covered by a maintenance window in progress, or says that a Device is
 * offline behind one whose own event says so. The windows are not locked: whoever asks looks again.
 */
export async function currentSuppression(
  tx: Transaction,
  organizationId: string,
  eventIds: readonly string[],
  { now, onlineMs }: { readonly now: number; readonly onlineMs: number },
): Promise<CurrentSuppression | null> {
  const windows = inProgress(await listPendingWindows(tx, [organizationId]), now);
  const covered =
    windows.length === 0
      ? []
      : await listCovered(
          tx,
          eventIds.map((eventId) => ({ organizationId, eventId })),
          windows.map(({ id }) => id),
        );
  const coveredIds = new Set(covered.map(({ eventId }) => eventId));
  const others = eventIds.filter((id) => !coveredIds.has(id));
  const window = windows.find(({ id }) => id === covered[0]?.windowId);
  if (others.length === 0) return window ? { detail: window.reason, graceMs: 0 } : null;
  return await findReportedAbove(tx, organizationId, others, onlineMs);
}
