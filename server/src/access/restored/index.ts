import type { Queries } from '../../storage/index.ts';
import { deleteKeys, deleteSessions, listKeys, type RestoredKey } from './store.ts';

export interface RestoredAccess {
  readonly endedSessions: number;
  readonly keys: readonly RestoredKey[];
}

/**
 * Access as a restore leaves it. A backup knows nothing of what was revoked after it was made: so
 * every session ends, and API keys are listed, or revoked where the operator asks for that.
 */
export async function revokeRestoredAccess(
  db: Queries,
  { revokesKeys }: { readonly revokesKeys: boolean },
): Promise<RestoredAccess> {
  const endedSessions = await deleteSessions(db);
  const keys = await listKeys(db);
  if (revokesKeys) await deleteKeys(db);
  return { endedSessions, keys };
}
