import Type from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, DateTime, defaulted, listOf, nullable, oneOf, paging } from './schema.ts';

const REASONS = ['unknownPath', 'wrongType', 'badTime'] as const;

/** An answer is not many times as long as what it answers. */
export const MAX_LISTED_REJECTIONS = 10_000;

export const ReadingsReceipt = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Number of accepted readings' }),
    stored: Type.Integer({ minimum: 0, description: 'Number of those that are stored as history' }),
    rejected: Type.Array(Type.Object({ key: Type.String(), reason: oneOf(REASONS) }, closed), {
      maxItems: MAX_LISTED_REJECTIONS,
      description: `The rejected readings, at most ${MAX_LISTED_REJECTIONS}`,
    }),
  },
  closed,
);

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

const taken = {
  status: 200,
  description: 'The readings are durable',
  body: ReadingsReceipt,
} as const;

const timestamp = Type.Integer({
  description: 'Epoch milliseconds; the default is the time of arrival',
});

export const ReadingEntry = Type.Object(
  {
    key: Type.String({ description: 'The `topicPropertyPath` of a Variable of the Device' }),
    value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
    timestamp: Type.Optional(timestamp),
  },
  { description: 'One reading' },
);

export const ReadingValues = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: {
    description: 'A string, number or boolean, or an object or array of them',
  },
  description:
    'Values by key. Keys of nested objects are joined by dots, elements of arrays are named by index: `engine.rpm`, `phases.0.volts`.',
  examples: [{ engine: { rpm: 1800 } }],
});

/** The forms of a payload. Entries of them that cannot be taken are reported one by one. */
const ReadingsPayload = Type.Unsafe<object>({
  anyOf: [
    Type.Object(
      { dataArray: Type.Array(ReadingEntry), timestamp: Type.Optional(timestamp) },
      { title: 'Readings as a list' },
    ),
    Type.Object(
      {
        data: Type.Unsafe<object>({ anyOf: [ReadingValues, Type.Array(ReadingEntry)] }),
        timestamp: Type.Optional(timestamp),
      },
      { title: 'Values of one time, or readings as a list' },
    ),
    ReadingValues,
  ],
  examples: [
    { timestamp: 1_700_000_000_000, data: { engine: { rpm: 1800 } } },
    { dataArray: [{ key: 'engine.rpm', value: 1800, timestamp: 1_700_000_000_000 }] },
  ],
});

export const writeReadings = operation({
  id: 'writeReadings',
  method: 'POST',
  path: '/data/v1/organizations/{organizationId}/devices/{deviceId}',
  tag: 'Readings',
  summary:
    'Write readings of a Device, with an API key, as a user, or with the credentials of the Device or its gateway',
  access: permission('WriteReadings'),
  isForDevices: true,
  effect: 'ingest',
  body: Type.Unsafe<object>({
    type: 'object',
    description:
      '`{ timestamp?, data: { key: value } }`, `{ dataArray: [{ key, value, timestamp? }] }`, `{ data: [{ key, value, timestamp? }] }` or a plain object of values. Nested keys are joined by dots; times are epoch milliseconds, and that of arrival when left out.',
  }),
  documentedBody: ReadingsPayload,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  reply: taken,
  failures: ['CONFLICT'],
});

export const writePayload = operation({
  id: 'writePayload',
  method: 'POST',
  path: '/payload',
  tag: 'Readings',
  summary:
    'Write readings in the older form; requires `WriteReadings` in the organization of the body',
  access: anyCredential,
  isForDevices: true,
  isKeyInQuery: true,
  effect: 'ingest',
  query: Type.Object(
    {
      apiKeyId: Type.Optional(Type.String({ description: 'Instead of the header' })),
      apiKeySecret: Type.Optional(Type.String({ description: 'Instead of the header' })),
    },
    closed,
  ),
  body: Type.Object(
    {
      organizationId: Type.String(),
      deviceId: Type.String(),
      timestamp: Type.Optional(Type.Unknown({ description: 'Epoch milliseconds' })),
      dataArray: Type.Array(Type.Unknown({ description: '`{ key, value, timestamp? }`' })),
    },
    closed,
  ),
  documentedBody: Type.Object(
    {
      organizationId: Type.String(),
      deviceId: Type.String(),
      timestamp: Type.Optional(timestamp),
      dataArray: Type.Array(ReadingEntry),
    },
    closed,
  ),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  reply: taken,
  failures: ['CONFLICT', 'ORGANIZATION_FORBIDDEN', 'PERMISSION_MISSING'],
});

const count = Type.Integer({ minimum: 0 });

export const DeviceIngest = Type.Object(
  {
    accepted: count,
    rejected: Type.Object(
      { unknownPath: count, wrongType: count, badTime: count, inactive: count, codec: count },
      closed,
    ),
    lastRejected: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          reason: oneOf([...REASONS, 'inactive', 'codec']),
          dateTime: DateTime,
        },
        closed,
      ),
      { description: 'The last 20, newest first' },
    ),
  },
  closed,
);

export const Publishing = Type.Object(
  {
    mqttPort: nullable(
      Type.Integer({ description: 'Where Devices connect; null with a broker of the operator’s' }),
    ),
    isMqttEncrypted: Type.Boolean({ description: 'Whether that port speaks TLS' }),
  },
  closed,
);

export const retrievePublishing = operation({
  id: 'retrievePublishing',
  method: 'GET',
  path: '/primary/v1/{organizationId}/publishing',
  tag: 'Readings',
  summary: 'How Devices reach the service, for commands that work as they stand',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'Where Devices publish', body: Publishing },
});

const devicePath = '/primary/v1/{organizationId}/devices/{deviceId}';

export const retrieveDeviceIngest = operation({
  id: 'retrieveDeviceIngest',
  method: 'GET',
  path: `${devicePath}/ingest`,
  tag: 'Readings',
  summary: 'What became of the readings of a Device',
  access: anyCredential,
  effect: 'read',
  reply: { status: 200, description: 'Counts since the Device was made', body: DeviceIngest },
});

export const UnmatchedPath = Type.Object(
  {
    path: Type.String(),
    lastValue: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
    lastDateTime: DateTime,
    occurrences: Type.Integer({ minimum: 1 }),
  },
  closed,
);

export const listUnmatchedPaths = operation({
  id: 'listUnmatchedPaths',
  method: 'GET',
  path: `${devicePath}/unmatched`,
  tag: 'Readings',
  summary: 'List reported paths that match no Variable of the Device, most recent first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object({ skip: paging.skip, take: defaulted({ ...paging.take }, 500) }, closed),
  reply: { status: 200, description: 'A page of paths', body: listOf(UnmatchedPath) },
});

export const DeadLetter = Type.Object(
  {
    topic: Type.String(),
    payload: Type.String({ description: 'The bytes of the message in the form of `encoding`' }),
    encoding: oneOf(['UTF8', 'BASE64']),
    reason: Type.String({ description: 'Why the message cannot be stored' }),
    dateTime: DateTime,
  },
  closed,
);

export const listDeadLetters = operation({
  id: 'listDeadLetters',
  method: 'GET',
  path: `${devicePath}/dead-letters`,
  tag: 'Readings',
  summary: 'List messages of an external broker that cannot be stored, most recent first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object({ skip: paging.skip, take: defaulted({ ...paging.take }, 100) }, closed),
  reply: { status: 200, description: 'A page of messages', body: listOf(DeadLetter) },
});
