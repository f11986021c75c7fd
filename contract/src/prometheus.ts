import Type from 'typebox';
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
