import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { ROLES } from './permissions.ts';
import {
  closed,
  DateTime,
  Email,
  filter,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  Password,
  paging,
  search,
} from './schema.ts';

const fields = {
  id: Id,
  email: Email,
  name: nullable(name(1, 100)),
  role: oneOf(ROLES),
  status: oneOf(['ACTIVE', 'INVITED']),
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
  lastSignInDateTime: nullable(DateTime),
};

export const User = Type.Object(fields, closed);

export type User = Static<typeof User>;

export const CreatedUser = Type.Object(
  {
    ...fields,
    invitationToken: Type.Optional(
      Type.String({
        description: 'For a member who has not accepted yet; valid once, for seven days',
      }),
    ),
  },
  closed,
);

const path = '/primary/v1/{organizationId}/users';
const onePath = `${path}/{userId}` as const;
const shared = { tag: 'Users', access: permission('ManageUsers') } as const;

export const listUsers = operation({
  ...shared,
  id: 'listUsers',
  method: 'GET',
  path,
  summary: 'List members, newest first',
  effect: 'read',
  query: Type.Object(
    { search: Type.Optional(search), roles: Type.Optional(filter(oneOf(ROLES))), ...paging },
    closed,
  ),
  reply: { status: 200, description: 'A page of members', body: listOf(User) },
});

export const retrieveUser = operation({
  ...shared,
  id: 'retrieveUser',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a member',
  effect: 'read',
  reply: { status: 200, description: 'The member', body: User, tagged: true },
});

export const createUser = operation({
  ...shared,
  id: 'createUser',
  method: 'POST',
  path,
  summary: 'Add a member; a person with an account, or without a password, is invited',
  effect: 'write',
  body: Type.Object(
    {
      email: Email,
      name: Type.Optional(nullable(name(1, 100))),
      role: oneOf(ROLES),
      password: Type.Optional(Password),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The member',
    body: CreatedUser,
    tagged: true,
    holdsSecrets: true,
  },
  failures: ['CONFLICT'],
});

export const updateUser = operation({
  ...shared,
  id: 'updateUser',
  method: 'PATCH',
  path: onePath,
  summary: "Change a member's name or role",
  effect: 'write',
  body: Type.Object(
    { name: Type.Optional(nullable(name(1, 100))), role: Type.Optional(oneOf(ROLES)) },
    closed,
  ),
  reply: { status: 200, description: 'The member', body: User, tagged: true },
  failures: ['CONFLICT'],
});

export const deleteUser = operation({
  ...shared,
  id: 'deleteUser',
  method: 'DELETE',
  path: onePath,
  summary: 'Remove a member; ends their sessions if they belong to no other organization',
  effect: 'write',
  reply: { status: 204, description: 'The member is removed', tagged: true },
  failures: ['CONFLICT'],
});

export const endUserSessions = operation({
  ...shared,
  id: 'endUserSessions',
  method: 'DELETE',
  path: `${onePath}/sessions`,
  summary: 'End all sessions of a member',
  effect: 'write',
  reply: { status: 204, description: 'The member is signed out everywhere' },
  failures: ['CONFLICT'],
});
