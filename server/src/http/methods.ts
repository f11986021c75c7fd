import type { Operation } from '@fieldwatch/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../runtime/index.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** Answers 405 with `Allow` on every known path for the methods that it does not serve. */
export function refuseOtherMethods(app: FastifyInstance, served: Iterable<Operation>): void {
  const allowed = new Map<string, Set<string>>();
  for (const { method, path } of served) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const methods = allowed.get(url) ?? new Set();
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    allowed.set(url, methods);
  }
  for (const [url, methods] of allowed) {
    const allow = METHODS.filter((method) => methods.has(method)).join(', ');
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      onRequest: async (request, reply) => {
        reply.header('allow', allow);
        throw new Failure('METHOD_NOT_ALLOWED', `${request.method} is not allowed here: ${allow}.`);
      },
      handler: async () => undefined,
    });
  }
}
