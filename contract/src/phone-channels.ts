import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable, oneOf, text } from './schema.ts';
import { TEMPLATE_CONTENT_TYPES } from './webhook-formats.ts';

export const PHONE_KINDS = ['SMS', 'VOICE'] as const;

export type PhoneKind = (typeof PHONE_KINDS)[number];

/** The names that the URL and the body of a channel may have in double braces. */
export const PHONE_PLACEHOLDERS = [
  'to',
  'digits',
  'text',
  'say',
  'link',
  'id',
  'from',
  'credential',
  'user',
  'password',
  'basic',
  'twiml',
  'receiptUrl',
  'receiptId',
] as const;

export type PhonePlaceholder = (typeof PHONE_PLACEHOLDERS)[number];

/** Those that a header may have: nothing that people wrote. */
export const PHONE_HEADER_PLACEHOLDERS = [
  'id',
  'credential',
  'user',
  'password',
  'basic',
] as const satisfies readonly PhonePlaceholder[];

export const PHONE_URL_RULE =
  'must be an http or https URL without credentials or placeholders in its host';

const printable = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\x20-\\x7e]*$',
    'x-messages': { pattern: 'must have printable ASCII characters only' },
    description,
  });

const url = Type.String({
  maxLength: 2000,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\{}]+(?:[/?#]\\S*)?$',
  'x-messages': { pattern: PHONE_URL_RULE },
  description: 'May have placeholders, escaped for a URL',
  examples: ['http://10.0.0.1/cgi-bin/sms_send?number={{digits}}&text={{text}}'],
});

export const MAX_PHONE_HEADERS = 10;

const header = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9-]{0,49}$',
      'x-messages': { pattern: 'must be the name of a header' },
    }),
    value: printable(500, `Placeholders: ${PHONE_HEADER_PLACEHOLDERS.join(', ')}`),
  },
  closed,
);

/** How a service signs what it reports, which is verified with the credential of the channel. */
const PHONE_SIGNATURES = ['NONE', 'TWILIO'] as const;

const MAX_RECEIPT_VALUES = 10;

const fieldName = (description: string) => printable(50, description);
const statuses = (minItems: number, description: string) =>
  Type.Array(printable(50, 'One value of the field'), {
    minItems,
    maxItems: MAX_RECEIPT_VALUES,
    description,
  });

const replies = Type.Object(
  {
    fromField: fieldName('The field with the number of the sender'),
    textField: fieldName('The field with the text'),
  },
  closed,
);

const receipts = Type.Object(
  {
    idField: Type.Optional(
      fieldName('The field with `{{receiptId}}`, of a service that reports to one address'),
    ),
    statusField: fieldName('The field that says what became of a message'),
    delivered: statuses(0, 'Its values for a message that arrived'),
    failed: statuses(1, 'Its values for a message that will not arrive'),
  },
  closed,
);

const settings = {
  kind: oneOf(PHONE_KINDS),
  method: oneOf(['GET', 'POST']),
  url,
  headers: Type.Array(header, { maxItems: MAX_PHONE_HEADERS }),
  contentType: oneOf(TEMPLATE_CONTENT_TYPES),
  body: nullable(text(1, 10_000, `Placeholders: ${PHONE_PLACEHOLDERS.join(', ')}`)),
  from: nullable(printable(50, 'The sender, as the service wants it')),
  successText: nullable(
    text(1, 200, 'Part of the answer to a message that was accepted; white space does not count'),
  ),
  replies: nullable({ ...replies, description: 'How the service reports replies by SMS' }),
  receipts: nullable({
    ...receipts,
    description: 'How the service reports what became of messages',
  }),
  signature: oneOf(PHONE_SIGNATURES),
};

const credential = nullable(
  printable(500, 'A token, or `user:password`. Stored encrypted and never shown'),
);

const fields = {
  id: Id,
  name: name(1, 100),
  isActive: Type.Boolean(),
  ...settings,
  hasCredential: Type.Boolean(),
  replyUrl: nullable(
    Type.String({
      description:
        'The secret address at which the service reports replies. Null without replies, and where the server has no public URL',
    }),
  ),
  receiptUrl: Type.Optional(
    Type.String({
      description:
        'The secret address at which the service reports receipts. Only with `receipts.idField`, and where the server has a public URL',
    }),
  ),
  createdDateTime: DateTime,
  updatedDateTime: DateTime,
};

export const PhoneChannel = Type.Object(fields, closed);

export type PhoneChannel = Static<typeof PhoneChannel>;

const PhoneNumber = Type.String({
  pattern: '^\\+[1-9]\\d{6,14}$',
  'x-messages': { pattern: 'must be an international number such as +4915112345678' },
});

const channels = recordOperations({
  tag: 'Phone channels',
  path: '/primary/v1/{organizationId}/phone-channels',
  idName: 'channelId',
  record: PhoneChannel,
  listed: PhoneChannel,
  names: ['channel', 'channels'],
  reading: permission('ManageIntegrations'),
  managing: permission('ManageIntegrations'),
});
const shared = { tag: 'Phone channels', access: permission('ManageIntegrations') } as const;

export const listPhoneChannels = operation({
  ...channels.list,
  id: 'listPhoneChannels',
  summary: 'List the channels for SMS and calls, newest first',
});

export const retrievePhoneChannel = operation({
  ...channels.retrieve,
  id: 'retrievePhoneChannel',
  summary: 'Retrieve a channel for SMS or calls',
});

export const createPhoneChannel = operation({
  ...channels.create,
  id: 'createPhoneChannel',
  summary: 'Create a channel for SMS or calls: the request that sends a message',
  body: Type.Object(
    {
      name: fields.name,
      isActive: defaulted(Type.Boolean(), true),
      kind: settings.kind,
      method: defaulted(settings.method, 'POST'),
      url,
      headers: defaulted(settings.headers, []),
      contentType: defaulted(settings.contentType, 'application/x-www-form-urlencoded'),
      body: Type.Optional(settings.body),
      from: Type.Optional(settings.from),
      successText: Type.Optional(settings.successText),
      replies: Type.Optional(settings.replies),
      receipts: Type.Optional(settings.receipts),
      signature: defaulted(settings.signature, 'NONE'),
      credential: Type.Optional(credential),
    },
    closed,
  ),
  failures: ['CONFLICT'],
});

export const updatePhoneChannel = operation({
  ...channels.update,
  id: 'updatePhoneChannel',
  summary: 'Change a channel; another url needs the credential again',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      isActive: Type.Optional(Type.Boolean()),
      kind: Type.Optional(settings.kind),
      method: Type.Optional(settings.method),
      url: Type.Optional(url),
      headers: Type.Optional(settings.headers),
      contentType: Type.Optional(settings.contentType),
      body: Type.Optional(settings.body),
      from: Type.Optional(settings.from),
      successText: Type.Optional(settings.successText),
      replies: Type.Optional(settings.replies),
      receipts: Type.Optional(settings.receipts),
      signature: Type.Optional(settings.signature),
      credential: Type.Optional(credential),
    },
    closed,
  ),
});

export const deletePhoneChannel = operation({
  ...channels.remove,
  id: 'deletePhoneChannel',
  summary: 'Delete a channel for SMS or calls',
});

export const testPhoneChannel = operation({
  ...shared,
  id: 'testPhoneChannel',
  method: 'POST',
  path: `${channels.onePath}/test`,
  summary: 'Send a test message at once, and report how the service answered',
  effect: 'write',
  body: Type.Object({ to: PhoneNumber }, closed),
  reply: {
    status: 200,
    description: 'How the service answered',
    body: Type.Object(
      {
        status: nullable(Type.Integer({ description: 'The status of the HTTP reply' })),
        error: nullable(Type.String({ description: 'Null where the message was accepted' })),
      },
      closed,
    ),
  },
});
