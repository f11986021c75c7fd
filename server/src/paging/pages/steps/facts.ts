import { type CurrentSuppression, currentSuppression } from '../../../maintenance/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import { findFacts, listOpenEvents, type PageRow } from '../records/index.ts';

/** What is true of the events of a page, and who did it. */
export interface KnownFacts {
  readonly openCount: number;
  readonly acknowledgedAt: number | null;
  /** Who acknowledged the events last. */
  readonly acknowledgedBy: string | null;
  readonly suppression: CurrentSuppression | null;
}

const TEST_FACTS = { openCount: 1, acknowledgedAt: null, acknowledgedBy: null, suppression: null };

export async function factsOf(
  tx: Transaction,
  { organizationId, id, isTest, ignoresSuppression }: PageRow,
  { now, onlineMs }: { readonly now: number; readonly onlineMs: number },
): Promise<KnownFacts> {
  if (isTest) return TEST_FACTS;
  const facts = await findFacts(tx, organizationId, id);
  if (facts.openCount === 0 || ignoresSuppression) return { ...facts, suppression: null };
  const eventIds = await listOpenEvents(tx, organizationId, id);
  const suppression = await currentSuppression(tx, organizationId, eventIds, { now, onlineMs });
  return { ...facts, suppression };
}
