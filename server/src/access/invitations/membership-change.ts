import type { Change } from '../../http/index.ts';

type Status = 'ACTIVE' | 'INVITED';

/** Tells an organization what became of a membership, and that the person did it. */
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
