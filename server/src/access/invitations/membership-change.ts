import type { Change } from '../../http/index.ts';

type Status = 'ACTIVE' | 'INVITED';

/** The audit entry of a change of a membership by its user. */
export function membershipChange(
  organizationId: string,
  { userId, email }: { readonly userId: string; readonly email: string },
  { before, after }: { readonly before: Status; readonly after?: Status },
): Change {
  return {
    organizationIds: [organizationId],
    resource: 'User',
    resourceId: userId,
    before: { status: before },
    ...(after ? { after: { status: after } } : {}),
    actor: { kind: 'USER', id: userId, name: email },
  };
}
