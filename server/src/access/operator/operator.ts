import type { KeyPermission } from '@fieldwatch/contract';
import type { Clock, NewId } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { insertApiKey } from '../api-keys/index.ts';
import { createAudit } from '../audit/index.ts';
import { listBelongings } from '../memberships/index.ts';
import { createSecrets, generateSecret, quickHash } from '../secrets/index.ts';
import { deleteSessions } from '../sessions/index.ts';
import { lockUserByEmail, saveOperatorPassword } from './store.ts';

export interface OperatorDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface ResetPassword {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly endedSessions: number;
}

/**
 * Sets the password of a user and ends their sessions; null when there is no such user. Running
 * servers learn of both by change notifications. The password must have been checked.
 */
export async function resetPassword(
  { storage, clock, newId }: OperatorDeps,
  email: string,
  chosen: string | null,
): Promise<ResetPassword | null> {
  const password = chosen ?? generateSecret();
  const passwordHash = await createSecrets().hashChosen(password);
  return storage.transaction(async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (!user) return null;
    await saveOperatorPassword(tx, user.id, passwordHash);
    const ended = await deleteSessions(tx, user.id);
    const belongings = await listBelongings(tx, user.id);
    const organizationIds = belongings.map(({ organizationId }) => organizationId);
    const deed = { operation: 'resetPassword', now: clock.now() };
    await createAudit({ storage, newId }).recordOwnChanges(tx, deed, [
      {
        organizationIds,
        resource: 'User',
        resourceId: user.id,
        after: { passwordSetBy: 'OPERATOR', endedSessions: ended.length },
      },
    ]);
    return { userId: user.id, email: user.email, password, endedSessions: ended.length };
  });
}

export interface OperatorKey {
  readonly organizationId: string;
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  readonly expiresAt: number | null;
}

/** Creates an API key. Its secret is returned here and stored nowhere. */
export async function createOperatorKey(
  { storage, clock, newId }: OperatorDeps,
  { organizationId, name, permissions, expiresAt }: OperatorKey,
): Promise<{ readonly id: string; readonly secret: string }> {
  const [id, secret, now] = [newId(), generateSecret(), clock.now()];
  await storage.transaction(async (tx) => {
    await insertApiKey(tx, organizationId, {
      ...{ id, name, permissions, expiresAt, now },
      secretHash: quickHash(secret),
      createdBy: { kind: 'SYSTEM', id: null, name: 'Fieldwatch' },
    });
    const deed = { operation: 'createApiKey', now };
    await createAudit({ storage, newId }).recordOwnChanges(tx, deed, [
      {
        organizationIds: [organizationId],
        resource: 'ApiKey',
        resourceId: id,
        after: { name, permissions },
      },
    ]);
  });
  return { id, secret };
}
