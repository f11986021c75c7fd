import type { NewId } from '../../runtime/index.ts';
import type { Transaction, Transactions } from '../../storage/index.ts';
import { release } from '../suppression/index.ts';
import { type OnTurn, reportTurn, type SendWindowMessage, turnByTime } from './messages.ts';
import * as store from './store.ts';
import { progressAt } from './window.ts';

const WINDOW_BATCH_SIZE = 100;

interface Advancing {
  readonly newId: NewId;
  readonly send: SendWindowMessage;
  readonly onTurn: OnTurn;
  readonly failpoint: (name: string) => void;
}

/**
 * Acts on windows that start or end by now. What a period that ended had held back goes into the
 * outbox in the transaction that records the end: it is sent once, wherever the server stops.
 * Returns whether there were any.
 */
export async function advanceDue(
  storage: Transactions,
  { newId, send, onTurn, failpoint }: Advancing,
  now: number,
): Promise<boolean> {
  const isAny = await storage.transaction(async (tx) => {
    const due = await store.lockDue(tx, now, WINDOW_BATCH_SIZE);
    for (const { organizationId, ...row } of due) {
      // At a start nothing is held, unless both were due: what is covered again is held again.
      await releaseHeld(tx, organizationId, row, newId);
      const progress = progressAt(row, now);
      await store.saveProgress(tx, organizationId, row.id, progress);
      const turn = turnByTime({ before: row.openTo, after: progress.openTo });
      const window = { ...row, openTo: progress.openTo };
      // Pages are locked before the targets of messages, as everywhere.
      await onTurn(tx, organizationId, now);
      await reportTurn(tx, send, organizationId, window, { turn, now });
    }
    if (due.length > 0) failpoint('window saved');
    return due.length > 0;
  });
  if (isAny) failpoint('window committed');
  return isAny;
}

/** Sends what the window has held back and is still open, as one digest. */
export function releaseHeld(
  tx: Transaction,
  organizationId: string,
  { id: causeId, reason: name }: Pick<store.WindowRow, 'id' | 'reason'>,
  newId: NewId,
): Promise<void> {
  const digest = { id: newId(), kind: 'MAINTENANCE_ENDED', name } as const;
  return release(tx, { organizationId, causeId, digest });
}
