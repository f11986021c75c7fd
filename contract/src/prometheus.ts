import Type, { type Static } from 'typebox';
import { operation } from './operation.ts';
import { readings } from './readings.ts';
import { closed, filter } from './schema.ts';
import { classificationType } from './variables.ts';

/** Variables of one reply; more have to be selected by Assets or classifications. */
export const MAX_EXPOSED_VARIABLES = 50_000;

export const listPrometheusValues = operation({
  ...readings,
  id: 'listPrometheusValues',
  method: 'GET',
  path: '/primary/v1/{organizationId}/prometheus',
  summary: 'Retrieve the latest values of Variables in the Prometheus text format',
  query: Type.Object(
    {
      assetIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only Variables that are bound to one of these Assets',
      }),
      classificationTypes: Type.Optional({
        ...filter(classificationType),
        description: 'Only Variables of these classifications',
      }),
      maxAgeSeconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 31_536_000,
          description:
            'Older values are left out; the default is the time for which the Device counts as online after it was last seen',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The values, without timestamps: each is the value now',
    body: Type.String(),
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  },
  failures: ['CONFLICT'],
});

/** Variables and readings of one remote read. */
export const MAX_REMOTE_READ_VARIABLES = 1_000;
export const MAX_REMOTE_READ_SAMPLES = 1_000_000;
const MAX_QUERIES = 20;
const MAX_MATCHERS = 50;
const MAX_PATTERN_LENGTH = 1_000;

/** A request of remote read, as it is once it is decoded. */
export type RemoteReadRequest = Static<typeof RemoteReadRequest>;
const RemoteReadRequest = Type.Object(
  {
    queries: Type.Array(
      Type.Object(
        {
          startTime: Type.Integer(),
          endTime: Type.Integer(),
          matchers: Type.Array(
            Type.Object(
              {
                match: Type.Union([
                  Type.Literal('EQUAL'),
                  Type.Literal('NOT_EQUAL'),
                  Type.Literal('PATTERN'),
                  Type.Literal('NOT_PATTERN'),
                ]),
                name: Type.String({ maxLength: MAX_PATTERN_LENGTH }),
                value: Type.String({ maxLength: MAX_PATTERN_LENGTH }),
              },
              closed,
            ),
            { maxItems: MAX_MATCHERS },
          ),
        },
        closed,
      ),
      { maxItems: MAX_QUERIES },
    ),
  },
  closed,
);

export const readPrometheusHistory = operation({
  ...readings,
  id: 'readPrometheusHistory',
  method: 'POST',
  path: '/prometheus/{organizationId}/api/v1/read',
  summary: 'Retrieve the history of Variables for Prometheus, by its remote read protocol',
  body: RemoteReadRequest,
  documentedBody: Type.Unsafe<Uint8Array>({}),
  bodyMediaType: 'application/x-protobuf',
  reply: {
    status: 200,
    description: 'The series, as a message `ReadResponse` compressed by Snappy',
    body: Type.Unsafe<Uint8Array>({}),
    mediaType: 'application/x-protobuf',
    contentEncoding: 'snappy',
  },
  failures: ['CONFLICT'],
});
