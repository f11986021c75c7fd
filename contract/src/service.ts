import Type from 'typebox';
import { anyone, operation } from './operation.ts';
import { closed, oneOf } from './schema.ts';

const shared = { method: 'GET', tag: 'Service', access: anyone, effect: 'read' } as const;

export const checkHealth = operation({
  ...shared,
  id: 'checkHealth',
  path: '/healthz',
  summary: 'Report whether the process is up',
  reply: {
    status: 200,
    description: 'The process is up',
    body: Type.Object({ status: Type.Literal('up') }, closed),
  },
});

export const checkReadiness = operation({
  ...shared,
  id: 'checkReadiness',
  path: '/readyz',
  summary: 'Report whether the server can serve requests; 503 while storage is unavailable',
  reply: {
    status: 200,
    description: 'The server is ready',
    body: Type.Object({ status: Type.Literal('ready'), storage: oneOf(['ready']) }, closed),
  },
  failures: ['STORAGE_UNAVAILABLE'],
});

export const readMetrics = operation({
  ...shared,
  id: 'readMetrics',
  path: '/metrics',
  summary: 'Retrieve metrics in the Prometheus text format',
  reply: {
    status: 200,
    description: 'The metrics',
    body: Type.String(),
    mediaType: 'text/plain; version=0.0.4; charset=utf-8',
  },
});
