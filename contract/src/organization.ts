import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, DateTime, Id, name } from './schema.ts';

export const Organization = Type.Object(
  { id: Id, name: name(1, 100), createdDateTime: DateTime, updatedDateTime: DateTime },
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
  summary: 'Rename the organization',
  access: permission('ManageUsers'),
  effect: 'write',
  body: Type.Object({ name: Type.Optional(name(1, 100)) }, closed),
  reply: { status: 200, description: 'The organization', body: Organization, tagged: true },
});
