import Type, { type Static } from 'typebox';
import { operation, userOnly } from './operation.ts';
import { closed, DateTime, Id, listOf, nullable, oneOf, paging } from './schema.ts';

export const CONTACT_KINDS = ['EMAIL', 'SMS', 'VOICE', 'WEB_PUSH', 'CHAT'] as const;

export type ContactKind = (typeof CONTACT_KINDS)[number];

/** How many contact methods a member has at most. */
export const MAX_CONTACT_METHODS = 10;

const position = Type.Integer({
  minimum: 0,
  maximum: MAX_CONTACT_METHODS - 1,
  description: 'The order in which they are used where no rule says otherwise',
});

export const ContactMethod = Type.Object(
  {
    id: Id,
    kind: oneOf(CONTACT_KINDS),
    address: Type.String({
      description:
        'An email address, a phone number (E.164), the id of a web push subscription of the user, or of a webhook to a chat',
    }),
    position,
    isVerified: Type.Boolean(),
    verifiedDateTime: nullable(DateTime),
    codeExpiresDateTime: nullable(
      Type.String({ format: 'date-time', description: 'Null while no code was sent' }),
    ),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type ContactMethod = Static<typeof ContactMethod>;

const path = '/primary/v1/{organizationId}/me/contact-methods';
const onePath = `${path}/{contactMethodId}` as const;
const shared = { tag: 'Paging', access: userOnly('ReadAlarmConfigurations') } as const;
const tagged = {
  status: 200,
  description: 'The contact method',
  body: ContactMethod,
  tagged: true,
} as const;

export const listContactMethods = operation({
  ...shared,
  id: 'listContactMethods',
  method: 'GET',
  path,
  summary: 'List the contact methods of the user, in their order',
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: { status: 200, description: 'A page of contact methods', body: listOf(ContactMethod) },
});

export const createContactMethod = operation({
  ...shared,
  id: 'createContactMethod',
  method: 'POST',
  path,
  summary: 'Add a contact method of the user, after the others',
  effect: 'write',
  body: Type.Object(
    {
      kind: oneOf(CONTACT_KINDS),
      address: Type.String({ minLength: 1, maxLength: 254 }),
    },
    closed,
  ),
  reply: { ...tagged, status: 201 },
  failures: ['CONFLICT'],
});

export const updateContactMethod = operation({
  ...shared,
  id: 'updateContactMethod',
  method: 'PATCH',
  path: onePath,
  summary: 'Move a contact method of the user to another place in the order',
  effect: 'write',
  body: Type.Object({ position: Type.Optional(position) }, closed),
  reply: tagged,
});

export const deleteContactMethod = operation({
  ...shared,
  id: 'deleteContactMethod',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a contact method of the user; rules no longer use it',
  effect: 'write',
  reply: { status: 204, description: 'The contact method is deleted', tagged: true },
});
