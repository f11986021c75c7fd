import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Failure, type Log, type NewId, watchLag } from '../runtime/index.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { acceptJsonBodies } from './json-body.ts';
import { failureOf, problemHeaders, problemOf } from './problem.ts';
import { SECURE_HEADERS } from './secure-headers.ts';
import type { UnderWay } from './under-way.ts';

/** How long and how much clients may take. Nothing waits for ever. */
export interface HttpLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxLagMs: number;
  readonly maxRequestsInFlight: number;
  /** How long an orderly stop waits for requests under way. */
  readonly stopTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 72_000,
  maxLagMs: 1_000,
  maxRequestsInFlight: 2_000,
  stopTimeoutMs: 10_000,
};

export interface AppOptions {
  readonly log: Log;
  readonly newId: NewId;
  readonly trustProxy: boolean;
  readonly limits: HttpLimits;
}

/** The framework, set up so that every answer, also to what it refuses by itself, is one of ours. */
export function createApp(options: AppOptions, underWay: UnderWay): FastifyInstance {
  const { limits, log, newId, trustProxy } = options;
  const app = fastify({
    logger: false,
    genReqId: newId,
    trustProxy,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    },
    routerOptions: { maxParamLength: 4_096, querystringParser: () => ({}) },
    clientErrorHandler: answerBrokenRequests(newId),
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, log),
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log));
  acceptJsonBodies(app);
  const lag = watchLag(limits.maxLagMs);
  app.addHook('onClose', async () => lag.stop());
  const isOverloaded = () => underWay.count >= limits.maxRequestsInFlight || lag.isLagging();
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS).header('x-request-id', request.id);
    if (request.is404) {
      done(new Failure('NOT_FOUND', 'There is nothing at this address.'));
    } else if (isOverloaded() && !isProbe(request)) {
      done(overloaded());
    } else {
      underWay.add(reply.raw);
      done();
    }
  });
  return app;
}

const COMMON_HEADERS = { ...SECURE_HEADERS, 'cache-control': 'private, no-cache' };

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const failure = failureOf(error);
  if (failure.code === 'INTERNAL') {
    log.error(
      {
        err: failure.cause,
        requestId: request.id,
        operation: request.routeOptions.config.operation?.id,
      },
      'a request failed unexpectedly',
    );
  }
  return reply
    .code(failure.status)
    .headers({ 'x-request-id': request.id, ...problemHeaders(failure) })
    .send(JSON.stringify(problemOf(failure, request.id)));
}

/** Health and metrics answer also when everything else is refused: they tell why. */
function isProbe(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.tag === 'Service';
}

/** When the event loop lags or too much is under way, new work is refused rather than queued. */
function overloaded(): Failure {
  return new Failure('OVERLOADED', 'Too much is under way; try again shortly.', {
    retryAfterSeconds: 1,
  });
}
