import type { Transaction } from '../../storage/index.ts';
import { type NextContactDeps, useNextContacts } from '../next-contact/index.ts';
import { failUndelivered, repeatCalls } from './store.ts';

/** A person is called so often before the call counts as not delivered. */
const MAX_CALLS = 3;
const CALL_INTERVAL_MS = 60_000;

/**
 * Acts on the reports about deliveries that were accepted: a call that nobody answered is made again,
 * and after a message that will not arrive the next one of the same person goes at once.
 */
export async function handleUndelivered(
  tx: Transaction,
  deps: NextContactDeps,
  organizationId: string,
  deliveryIds: readonly string[],
  now: number,
): Promise<void> {
  const repetition = { maxCalls: MAX_CALLS, at: now + CALL_INTERVAL_MS };
  await repeatCalls(tx, organizationId, deliveryIds, repetition);
  const failedIds = await failUndelivered(tx, organizationId, deliveryIds);
  await useNextContacts(tx, deps, organizationId, failedIds, now);
}
