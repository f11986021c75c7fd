import type { Operation } from '@fieldwatch/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../runtime/index.ts';
import { bodyLimitOf } from './body-limit.ts';
import { noteRefusal } from './refusals.ts';
import { admit, type ServeDeps } from './serve.ts';

/** One message of a protocol that has its own form of replies. */
export interface Exchange {
  readonly organizationId: string;
  /** The request without its body and without credentials. */
  readonly request: Request;
  readonly body: unknown;
  /** Calls operations of this server as the caller does, with all checks and limits. */
  readonly fetch: typeof globalThis.fetch;
}

export interface ExchangeRoute {
  /** Names its requests in metrics. */
  readonly id: string;
  /** Has the parameter `{organizationId}`. */
  readonly path: string;
  readonly answer: (exchange: Exchange) => Promise<Response>;
}

/** Headers that a protocol reads and sets; all others are those of every request and reply. */
const PROTOCOL_HEADER = /^(?:accept|content-type|mcp-[\w-]+)$/;
/** No name that is ever looked up: requests to it do not leave the process. */
const OWN_ORIGIN = 'http://fieldwatch.invalid';

/**
 * Serves messages at a path by POST. Authentication, rate limit, size and load are checked as for an
 * operation. The result stands for it where all operations are listed.
 */
export function serveExchange(
  app: FastifyInstance,
  deps: ServeDeps,
  { id, path, answer }: ExchangeRoute,
): Operation {
  const operation: Operation = {
    id,
    path,
    method: 'POST',
    tag: 'Organization',
    summary: '',
    access: { kind: 'credential' },
    effect: 'read',
    reply: { status: 200, description: '' },
  };
  app.route({
    method: 'POST',
    url: path.replace('{organizationId}', ':organizationId'),
    bodyLimit: bodyLimitOf(operation),
    config: { operation },
    onRequest: (request, reply) => admit(operation, true, deps, request, reply),
    onError: async (request, _, error) => noteRefusal(deps.recordRefusal, request, error),
    handler: async (request, reply) => {
      // The messages of a batch would run at once, as one request to the limits.
      if (Array.isArray(request.body)) {
        throw invalid({ path: 'body', message: 'must be one message and not a batch' });
      }
      const { organizationId = '' } = request.params as Record<string, string>;
      const reported = await answer({
        organizationId,
        request: webRequestOf(request),
        body: request.body,
        fetch: fetchOf(app, request),
      });
      const bytes = Buffer.from(await reported.arrayBuffer());
      const headers = [...reported.headers].filter(([name]) => PROTOCOL_HEADER.test(name));
      reply.code(reported.status).headers(Object.fromEntries(headers));
      return reply.send(bytes.length === 0 ? undefined : bytes);
    },
  });
  return operation;
}

function webRequestOf({ url, headers }: FastifyRequest): Request {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    PROTOCOL_HEADER.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(new URL(url, OWN_ORIGIN), { method: 'POST', headers: passed });
}

/** Requests of the same caller from the same address, without a connection. */
function fetchOf(app: FastifyInstance, request: FastifyRequest): typeof globalThis.fetch {
  const { authorization } = request.headers;
  return async (address, init = {}) => {
    const { pathname, search } = new URL(String(address), OWN_ORIGIN);
    const { statusCode, headers, rawPayload } = await app.inject({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: pathname + search,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
      remoteAddress: request.clientAddress,
    });
    const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    return new Response(new Uint8Array(rawPayload), {
      status: statusCode,
      headers: Object.fromEntries(plain),
    });
  };
}
