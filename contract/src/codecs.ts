import Type, { type Static } from 'typebox';
import { documentErrors } from './json-document.ts';
import { operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, text } from './schema.ts';

/** LoRaWAN allows at most 242 bytes in a frame. */
const MAX_PAYLOAD_HEX = 512;
const MAX_SCRIPT_LENGTH = 65_536;
const MAX_CODEC_TESTS = 20;
const MAX_EXPECTED_KIBIBYTES = 16;

const script = text(
  1,
  MAX_SCRIPT_LENGTH,
  'JavaScript with the function `decodeUplink({ bytes, fPort, recvTime, variables })` of TS013',
);

const fPort = Type.Integer({ minimum: 0, maximum: 255 });

const bytesHex = Type.String({
  maxLength: MAX_PAYLOAD_HEX,
  pattern: '^(?:[0-9a-fA-F]{2})*$',
  'x-messages': { pattern: 'must be pairs of hexadecimal characters' },
  description: 'The payload of the frame',
  examples: ['00E1025C'],
});

const anyDocument = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

const test = Type.Object(
  {
    fPort,
    bytesHex,
    expected: Type.Unsafe<Readonly<Record<string, unknown>>>({
      ...anyDocument,
      description: 'The `data` that the codec must return',
    }),
  },
  closed,
);

const tests = Type.Array(test, { maxItems: MAX_CODEC_TESTS });

const listed = { id: Id, name: name(1, 100), createdDateTime: DateTime, updatedDateTime: DateTime };

export const Codec = Type.Object({ ...listed, script, tests }, closed);

export type Codec = Static<typeof Codec>;

export const ListedCodec = Type.Object(
  { ...listed, testCount: Type.Integer({ minimum: 0 }) },
  closed,
);

const sample = Type.Object({ time: DateTime, data: anyDocument }, closed);
const lines = Type.Array(Type.String());

export const CodecResult = Type.Object(
  {
    data: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      anyOf: [anyDocument, { type: 'null' }],
      description: 'The values; null when there are errors',
    }),
    samples: Type.Array(sample, { description: 'Values of other times, of a data logger' }),
    errors: lines,
    warnings: lines,
    console: lines,
    durationMs: Type.Number({ minimum: 0 }),
  },
  closed,
);

export type CodecResult = Static<typeof CodecResult>;

const codecs = recordOperations({
  tag: 'LoRaWAN',
  path: '/primary/v1/{organizationId}/codecs',
  idName: 'codecId',
  record: Codec,
  listed: ListedCodec,
  names: ['codec', 'codecs'],
  reading: permission('ManageCodecs'),
  managing: permission('ManageCodecs'),
});
const shared = { tag: 'LoRaWAN', access: permission('ManageCodecs') } as const;

function check({ body }: Sent): readonly FieldError[] {
  const given = (Object(body) as { tests?: unknown }).tests;
  if (!Array.isArray(given)) return [];
  return given.slice(0, MAX_CODEC_TESTS).flatMap((each: unknown, index) => {
    const { expected } = Object(each) as { expected?: unknown };
    return documentErrors(`tests[${index}].expected`, expected, MAX_EXPECTED_KIBIBYTES);
  });
}

export const listCodecs = operation({
  ...codecs.list,
  id: 'listCodecs',
  summary: 'List the payload codecs, newest first',
});

export const retrieveCodec = operation({
  ...codecs.retrieve,
  id: 'retrieveCodec',
  summary: 'Retrieve a codec with its script and its tests',
});

export const createCodec = operation({
  ...codecs.create,
  id: 'createCodec',
  summary: 'Create a codec; its tests must pass',
  body: Type.Object({ name: listed.name, script, tests: defaulted(tests, []) }, closed),
  check,
  failures: ['CONFLICT'],
});

export const updateCodec = operation({
  ...codecs.update,
  id: 'updateCodec',
  summary: 'Change a codec; its tests must pass',
  body: Type.Object(
    {
      name: Type.Optional(listed.name),
      script: Type.Optional(script),
      tests: Type.Optional(tests),
    },
    closed,
  ),
  check,
});

export const deleteCodec = operation({
  ...codecs.remove,
  id: 'deleteCodec',
  summary: 'Delete a codec; its Devices are decoded by their network server from then on',
});

export const tryCodec = operation({
  ...shared,
  id: 'tryCodec',
  method: 'POST',
  path: `${codecs.onePath}/try`,
  summary: 'Decode a payload with a codec, or with a script that is not saved yet',
  effect: 'read',
  body: Type.Object(
    {
      fPort: defaulted(fPort, 1),
      bytesHex,
      recvTime: Type.Optional(DateTime),
      script: Type.Optional(script),
    },
    closed,
  ),
  reply: { status: 200, description: 'What the codec returned', body: CodecResult },
});
