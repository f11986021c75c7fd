import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { Candidate } from './candidate.ts';
import { deleteHeld, listHeldEvents } from './held/index.ts';
import { holdDuringMaintenance } from './maintenance-hold.ts';
import { holdBehindOffline } from './topology/index.ts';

/*
 * Whether a notification is sent now. A notification of a raised event that is not sent leaves the
 * outbox and becomes a held notification, in the same transaction; at its end it goes back into the
 * outbox, and is looked at again. So none is lost, and none is sent twice, wherever the server stops.
 *
 * Invariant: while the notification of a raised event is held, nothing else of that event is sent.
 * If the event clears meanwhile, neither its beginning nor its end is sent.
 */
export async function suppress<N extends Candidate>(
  tx: Transaction,
  candidates: readonly N[],
  { newId, now }: { readonly newId: NewId; readonly now: number },
): Promise<N[]> {
  const raised = candidates.filter(({ kind }) => kind === 'RAISED');
  const unheld = await holdDuringMaintenance(tx, raised, now);
  const sent = await holdBehindOffline(tx, unheld, { newId, now });
  const sentById = new Map(sent.map((each) => [each.id, each]));
  const later = candidates.filter(({ kind }) => kind !== 'RAISED');
  const held = await listHeldEvents(tx, later);
  await deleteHeld(
    tx,
    later.filter(({ kind, event }) => kind === 'CLEARED' && held.has(event.id)),
  );
  return candidates.flatMap((each) => {
    if (each.kind === 'RAISED') return sentById.get(each.id) ?? [];
    return held.has(each.event.id) ? [] : each;
  });
}
