import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { digestOf, generateSecret } from '../secrets/index.ts';
import { insertInvitation } from './store.ts';

const INVITATION_LIVES_MS = 7 * 24 * 60 * 60 * 1000;

/** Makes an invitation to one organization; answers with its token, which is stored nowhere. */
export async function invite(
  tx: Transaction,
  organizationId: string,
  { newId, userId, now }: { newId: NewId; userId: string; now: number },
): Promise<string> {
  const token = generateSecret();
  const expiresAt = now + INVITATION_LIVES_MS;
  const invitation = { id: newId(), tokenHash: digestOf(token), userId, now, expiresAt };
  await insertInvitation(tx, organizationId, invitation);
  return token;
}
