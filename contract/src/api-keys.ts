import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { KEY_PERMISSIONS } from './permissions.ts';
import {
  closed,
  DateTime,
  defaulted,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
} from './schema.ts';

const KeyPermissions = Type.Array(oneOf(KEY_PERMISSIONS), {
  uniqueItems: true,
  maxItems: KEY_PERMISSIONS.length,
});

const fields = {
  id: Type.String({ description: 'The key id of Basic credentials' }),
  name: name(1, 100),
  permissions: KeyPermissions,
  expiresDateTime: nullable(DateTime),
  createdDateTime: DateTime,
  lastUsedDateTime: nullable(DateTime),
  createdBy: nullable(
    Type.Object(
      {
        kind: oneOf(['USER', 'API_KEY', 'SYSTEM']),
        id: nullable(Type.String()),
        name: Type.String({ description: 'The email or the name of the API key at that time' }),
      },
      { ...closed, description: 'The creator; null for API keys that are older than this field' },
    ),
  ),
};

export const ApiKey = Type.Object(fields, closed);

export type ApiKey = Static<typeof ApiKey>;

export const IssuedApiKey = Type.Object(
  { ...fields, secret: Type.String({ description: 'Never shown again' }) },
  closed,
);

const path = '/primary/v1/{organizationId}/api-keys';
const onePath = `${path}/{apiKeyId}` as const;
const shared = {
  tag: 'API keys',
  access: permission('ManageApiKeys'),
} as const;
const params = { apiKeyId: Type.String() };

export const listApiKeys = operation({
  ...shared,
  id: 'listApiKeys',
  method: 'GET',
  path,
  summary: 'List API keys, newest first',
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      descendantsOf: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'The id of an API key or a user: only API keys that it created, directly or through other keys',
        }),
      ),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of API keys', body: listOf(ApiKey) },
});

export const retrieveApiKey = operation({
  ...shared,
  id: 'retrieveApiKey',
  method: 'GET',
  path: onePath,
  params,
  summary: 'Retrieve an API key',
  effect: 'read',
  reply: { status: 200, description: 'The API key', body: ApiKey, tagged: true },
});

export const createApiKey = operation({
  ...shared,
  id: 'createApiKey',
  method: 'POST',
  path,
  summary: 'Create an API key; only this reply contains the secret',
  effect: 'write',
  body: Type.Object(
    {
      name: name(1, 100),
      permissions: KeyPermissions,
      expiresDateTime: Type.Optional(nullable(DateTime)),
    },
    closed,
  ),
  reply: {
    holdsSecrets: true,
    status: 201,
    description: 'The API key with its secret',
    body: IssuedApiKey,
    tagged: true,
  },
});

export const updateApiKey = operation({
  ...shared,
  id: 'updateApiKey',
  method: 'PATCH',
  path: onePath,
  params,
  summary: 'Rename an API key, or change its permissions or expiry',
  effect: 'write',
  body: Type.Object(
    {
      name: Type.Optional(name(1, 100)),
      permissions: Type.Optional(KeyPermissions),
      expiresDateTime: Type.Optional(nullable(DateTime)),
    },
    closed,
  ),
  reply: { status: 200, description: 'The API key', body: ApiKey, tagged: true },
});

export const deleteApiKey = operation({
  ...shared,
  id: 'deleteApiKey',
  method: 'DELETE',
  path: onePath,
  params,
  summary: 'Revoke an API key at once, optionally with its descendants',
  effect: 'write',
  query: Type.Object({ descendants: defaulted(oneOf(['keep', 'revoke']), 'keep') }, closed),
  reply: { status: 204, description: 'The API key is revoked', tagged: true },
});
