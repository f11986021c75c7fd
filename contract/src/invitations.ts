import Type, { type Static } from 'typebox';
import { operation, userOnly } from './operation.ts';
import { ROLES } from './permissions.ts';
import { closed, DateTime, Id, listOf, oneOf } from './schema.ts';

const Invitation = Type.Object(
  {
    id: Id,
    organization: Type.Object({ id: Id, name: Type.String() }, closed),
    role: oneOf(ROLES),
    needsToken: Type.Boolean({
      description: 'Whether accepting requires the token of the invitation',
    }),
    createdDateTime: DateTime,
    expiresDateTime: DateTime,
  },
  closed,
);

export type Invitation = Static<typeof Invitation>;

const path = '/auth/v1/invitations';
const onePath = `${path}/{invitationId}` as const;
const shared = { tag: 'Sign-in', access: userOnly() } as const;

export const listInvitations = operation({
  ...shared,
  id: 'listInvitations',
  method: 'GET',
  path,
  summary: 'List the open invitations of the signed-in user, newest first',
  effect: 'read',
  reply: { status: 200, description: 'The open invitations', body: listOf(Invitation) },
});

export const acceptInvitation = operation({
  ...shared,
  id: 'acceptInvitation',
  method: 'POST',
  path: `${onePath}/accept`,
  summary: 'Accept an invitation as the signed-in user',
  effect: 'write',
  body: Type.Object(
    { token: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })) },
    closed,
  ),
  bodyOptional: true,
  reply: {
    status: 200,
    description: 'The organization that the user now belongs to',
    body: Type.Object({ id: Id, name: Type.String(), role: oneOf(ROLES) }, closed),
  },
  failures: ['CONFLICT'],
});

export const declineInvitation = operation({
  ...shared,
  id: 'declineInvitation',
  method: 'DELETE',
  path: onePath,
  summary: 'Decline an invitation; this removes the membership',
  effect: 'write',
  reply: { status: 204, description: 'The invitation is declined' },
});
