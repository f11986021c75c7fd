import Type, { type Static } from 'typebox';
import { operation, userOnly } from './operation.ts';
import { closed, DateTime, Id, listOf, nullable } from './schema.ts';

export const Session = Type.Object(
  {
    id: Id,
    isCurrent: Type.Boolean({ description: 'Whether this request belongs to this session' }),
    createdDateTime: DateTime,
    lastUsedDateTime: Type.String({
      format: 'date-time',
      description: 'When its tokens were last issued',
    }),
    expiresDateTime: DateTime,
    address: nullable(Type.String({ description: 'The address of the last use' })),
    userAgent: nullable(Type.String({ description: 'The `User-Agent` of the client' })),
  },
  closed,
);

export type Session = Static<typeof Session>;

const path = '/auth/v1/sessions';
const shared = { tag: 'Sign-in', access: userOnly() } as const;

export const listSessions = operation({
  ...shared,
  id: 'listSessions',
  method: 'GET',
  path,
  summary: 'List the sessions of the signed-in user, newest first',
  effect: 'read',
  reply: { status: 200, description: 'The sessions', body: listOf(Session) },
});

export const endSessions = operation({
  ...shared,
  id: 'endSessions',
  method: 'DELETE',
  path,
  summary: 'End all sessions of the signed-in user except the current one',
  effect: 'write',
  reply: { status: 204, description: 'The other sessions have ended' },
});

export const endSession = operation({
  ...shared,
  id: 'endSession',
  method: 'DELETE',
  path: `${path}/{sessionId}`,
  summary: 'End a session of the signed-in user',
  effect: 'write',
  reply: { status: 204, description: 'The session has ended' },
});
