import type { ServerOptions } from 'node:http';
import { Readable } from 'node:stream';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import {
  type Certificate,
  clientAddress,
  Failure,
  isForwardedTls,
  type LagWatch,
  type Log,
  type TrustedProxies,
  tlsOptions,
  watchLag,
} from '../runtime/index.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { limitConnections } from './connections.ts';
import { acceptJsonBodies, malformedBody } from './json-body.ts';
import type { HttpLimits } from './limits.ts';
import { failureOf, nothingThere, problemHeaders, problemOf } from './problem.ts';
import { createRequestIds } from './request-ids.ts';
import { headersOf, STRICT_TRANSPORT_SECURITY } from './secure-headers.ts';

/** Counted, and never sent: the client closed the connection before its answer. */
const CLIENT_CLOSED_REQUEST = 499;

export interface AppOptions {
  /** Speaks TLS when given. */
  readonly certificate: Certificate | null;
  readonly log: Log;
  /** Told of each answer. */
  readonly onAnswer: (operation: string, status: number, seconds: number) => void;
  readonly trustedProxies: TrustedProxies;
  readonly limits: HttpLimits;
}

/** The framework, set up so that every answer, also to what it refuses by itself, is one of ours. */
export function createApp(options: AppOptions): FastifyInstance {
  const { limits, log } = options;
  const newRequestId = createRequestIds();
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...listenerOptions(options),
    // More than the first line of a request may hold.
    routerOptions: { maxParamLength: 65_536, querystringParser: () => ({}) },
    clientErrorHandler: answerBrokenRequests(newRequestId, limits.lingerMs),
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, log),
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log));
  // For files that are not there; an address that is not is refused before.
  app.setNotFoundHandler(() => {
    throw nothingThere();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isFollowed = request.routeOptions.config.operation?.reply.events !== undefined;
    if (payload instanceof Readable && !isFollowed) endWhenStalled(reply, limits.stallMs);
    done();
  });
  acceptJsonBodies(app);
  limitConnections(app, limits, options.trustedProxies);
  admitRequests(app, options);
  return app;
}

/** Only one of the two is read by the framework, which takes its presence for the wish to use it. */
function listenerOptions({ certificate, limits }: AppOptions): { http: ServerOptions } {
  const common: ServerOptions = {
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  };
  if (!certificate) return { http: common };
  const handshakeTimeout = limits.handshakeTimeoutMs;
  const https = { ...common, ...tlsOptions(certificate), handshakeTimeout };
  return { https } as object as { http: ServerOptions };
}

/** Gives each request its address and headers, and refuses it while too much is under way. */
function admitRequests(
  app: FastifyInstance,
  { limits, onAnswer, trustedProxies, certificate }: AppOptions,
): void {
  let lag = NO_LAG;
  // The start itself holds the loop, and says nothing about what comes after.
  app.addHook('onListen', async () => {
    lag = watchLag(limits.maxLagMs);
  });
  app.addHook('onClose', async () => lag.stop());
  app.decorateRequest('answered', null);
  app.decorateRequest('clientAddress', '');
  let underWay = 0;
  const isOverloaded = () => underWay >= limits.maxRequestsInFlight || lag.isLagging();
  app.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    const forwardedFor = request.headers['x-forwarded-for'];
    request.clientAddress = clientAddress(
      request.raw.socket.remoteAddress,
      forwardedFor,
      trustedProxies,
    );
    reply.headers(headersOf(operation)).header('x-request-id', request.id);
    const { socket } = request.raw;
    const forwardedProto = request.headers['x-forwarded-proto'];
    if (certificate || isForwardedTls(socket.remoteAddress, forwardedProto, trustedProxies)) {
      reply.header('strict-transport-security', STRICT_TRANSPORT_SECURITY);
    }
    if (request.is404) {
      done(nothingThere());
    } else if (isOverloaded() && !isProbe(request)) {
      done(overloaded());
    } else {
      const startedAt = performance.now();
      let isUnderWay = true;
      underWay += 1;
      const answered = (status: number) => {
        if (!isUnderWay) return;
        isUnderWay = false;
        underWay -= 1;
        onAnswer(operation?.id ?? 'none', status, (performance.now() - startedAt) / 1000);
      };
      // One listener for both, and on the answer itself: it ends however the request ends.
      reply.raw.once('close', () =>
        answered(reply.raw.headersSent ? reply.statusCode : CLIENT_CLOSED_REQUEST),
      );
      request.answered = () => answered(reply.statusCode);
      done();
    }
  });
}

/** What is read to its end holds a place for the next one until then. */
function endWhenStalled({ raw }: FastifyReply, stallMs: number): void {
  let taken = -1;
  const timer = setInterval(() => {
    const { bytesWritten } = raw.socket ?? { bytesWritten: 0 };
    if (raw.writableNeedDrain && bytesWritten === taken) raw.destroy();
    taken = bytesWritten;
  }, stallMs).unref();
  raw.once('close', () => clearInterval(timer));
}

const NO_LAG: LagWatch = { isLagging: () => false, stop: () => undefined };

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const failure = failureFor(error, request);
  if (isAborted(error, request)) {
    log.debug({ requestId: request.id }, 'the client closed the connection within its request');
  }
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
  // The framework would close the connection under a client that is still sending the body, which
  // then sees a broken line and no answer. The rest is read and dropped, for as long as a request may take.
  if (failure.code === 'BODY_TOO_LARGE') reply.removeHeader('connection');
  return reply
    .code(failure.status)
    .headers({
      'x-request-id': request.id,
      ...problemHeaders(failure, request.routeOptions.config.operation),
    })
    .send(JSON.stringify(problemOf(failure, request.id)));
}

function failureFor(error: unknown, request: FastifyRequest): Failure {
  if (isUnwantedFile(error, request)) return nothingThere();
  return isAborted(error, request) ? malformedBody('is incomplete') : failureOf(error);
}

/** The request itself ended with this error, which happens only when its connection did. */
function isAborted(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.errored !== null && raw.errored === error;
}

/** Who serves files says in many ways that one is not to be had. */
function isUnwantedFile(error: unknown, request: FastifyRequest): boolean {
  const { statusCode = 500 } = Object(error) as { readonly statusCode?: number };
  const isOfOperation = request.routeOptions.config.operation !== undefined;
  return !isOfOperation && !(error instanceof Failure) && statusCode >= 400 && statusCode < 500;
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
