import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, DateTime, Id, name, nullable } from './schema.ts';

const retentionDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: 'How long history is kept; null means without limit',
  }),
);

export const Organization = Type.Object(
  {
    id: Id,
    name: name(1, 100),
    retentionDays,
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Organization = Static<typeof Organization>;

const path = '/primary/v1/{organizationId}';

export const retrieveOrganization = operation({
  id: 'retrieveOrganization',
  method: 'GET',
  path,
  tag: 'Organization',
  summary: 'Retrieve the organization',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'The organization', body: Organization, tagged: true },
});

export const updateOrganization = operation({
  id: 'updateOrganization',
  method: 'PATCH',
  path,
  tag: 'Organization',
  summary: 'Rename the organization, or change how long it keeps history',
  access: permission('ManageUsers'),
  effect: 'write',
  body: Type.Object(
    { name: Type.Optional(name(1, 100)), retentionDays: Type.Optional(retentionDays) },
    closed,
  ),
  reply: { status: 200, description: 'The organization', body: Organization, tagged: true },
});
