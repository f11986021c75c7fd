import { isoDateTime, type NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import type { Destination, Text } from '../fan-out/index.ts';
import { insertText } from './store.ts';

/**
 * Has a text delivered that is not about an alarm event. It is part of the transaction: the text is
 * sent once when that commits, and not at all when it does not; at once, unless it is due later. Returns the id of the delivery.
 */
export async function deliverText(
  tx: Transaction,
  newId: NewId,
  destination: Destination,
  text: Text,
  now: number,
  dueAt = now,
): Promise<string> {
  const id = newId();
  const message = { type: 'text' as const, timestamp: isoDateTime(now), data: text };
  await insertText(tx, { ...destination, newTargetId: newId() }, { id, message, dueAt }, now);
  return id;
}
