import Type from 'typebox';
import { anyone, operation } from './operation.ts';
import { closed, oneOf } from './schema.ts';

const shared = { method: 'GET', tag: 'Service', access: anyone, effect: 'read' } as const;

export const checkHealth = operation({
  ...shared,
  id: 'checkHealth',
  path: '/healthz',
  summary: 'Is the process up',
  reply: {
    status: 200,
    description: 'It is',
    body: Type.Object({ status: Type.Literal('up') }, closed),
  },
});

export const checkReadiness = operation({
  ...shared,
  id: 'checkReadiness',
  path: '/readyz',
  summary: 'Can it serve requests; answers 503 while storage is unavailable',
  reply: {
    status: 200,
    description: 'It can',
    body: Type.Object({ status: Type.Literal('ready'), storage: oneOf(['ready']) }, closed),
  },
  failures: ['STORAGE_UNAVAILABLE'],
});

export const readMetrics = operation({
  ...shared,
  id: 'readMetrics',
  path: '/metrics',
  summary: 'Metrics in the text format of Prometheus',
  reply: {
    status: 200,
    description: 'The metrics',
    body: Type.String(),
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  },
});
