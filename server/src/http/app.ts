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
import type { Addresses } from './methods.ts';
import { failureOf, noSuchAddress, problemHeaders, problemOf } from './problem.ts';
import { createRequestIds } from './request-ids.ts';
import { endRequestSpan, startRequestSpan } from './request-span.ts';
import { createHeaders, STRICT_TRANSPORT_SECURITY } from './secure-headers.ts';

/** Counted in metrics and never sent: the client closed the connection before its response. */
const CLIENT_CLOSED_REQUEST = 499;

/** The route of the console for whatever has no route of its own. */
const ANY_ADDRESS = '/*';

export interface AppOptions {
  /** What operations serve, to refuse other methods there. */
  readonly addresses: Pick<Addresses, 'refusalOf'>;
  /** Speaks TLS when given. */
  readonly certificate: Certificate | null;
  readonly log: Log;
  /** Called for each response. */
  readonly onResponse: (operation: string, status: number, seconds: number) => void;
  readonly trustedProxies: TrustedProxies;
  readonly limits: HttpLimits;
  /** The origin of the tiles of maps, if there is a tile server. */
  readonly tileOrigin?: string | null;
}

/** Sets Fastify up so that also the requests that it refuses by itself get a problem document. */
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
  // Reached for missing files only: the onRequest hook refuses unknown addresses before.
  app.setNotFoundHandler(() => {
    throw noSuchAddress();
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

/** Fastify reads `http` or `https`, and uses TLS whenever `https` is present. */
function listenerOptions({ certificate, limits }: AppOptions): { http: ServerOptions } {
  const common: ServerOptions = {
    headersTimeout: limits.headersTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  };
  if (!certificate) return { http: common };
  const handshakeTimeout = limits.handshakeTimeoutMs;
  const https = { ...common, ...tlsOptions(certificate), handshakeTimeout };
  return { https } as object as { http: ServerOptions };
}

/** Gives each request its address and headers, and refuses it while the server is overloaded. */
function admitRequests(app: FastifyInstance, options: AppOptions): void {
  const { limits, onResponse, trustedProxies, certificate, tileOrigin = null } = options;
  const headersOf = createHeaders(tileOrigin);
  let lag = NO_LAG;
  // The start blocks the event loop, so lag is measured only from here on.
  app.addHook('onListen', async () => {
    lag = watchLag(limits.maxLagMs);
  });
  app.addHook('onClose', async () => lag.stop());
  app.decorateRequest('answered', null);
  app.decorateRequest('span', null);
  app.decorateRequest('clientAddress', '');
  let inFlight = 0;
  const isOverloaded = () => inFlight >= limits.maxRequestsInFlight || lag.isLagging();
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
    const isUnknown = request.is404 || request.routeOptions.url === ANY_ADDRESS;
    const refusal = isUnknown ? options.addresses.refusalOf(request, reply) : null;
    if (refusal) {
      done(refusal);
    } else if (request.is404) {
      done(noSuchAddress());
    } else if (isOverloaded() && !isProbe(request)) {
      done(overloaded());
    } else {
      const startedAt = performance.now();
      const span = startRequestSpan(request);
      request.span = span;
      let isInFlight = true;
      inFlight += 1;
      const answered = (status: number) => {
        if (!isInFlight) return;
        isInFlight = false;
        inFlight -= 1;
        onResponse(operation?.id ?? 'none', status, (performance.now() - startedAt) / 1000);
        endRequestSpan(span, status);
      };
      // The response closes however the request ends: answered, aborted or timed out.
      reply.raw.once('close', () =>
        answered(reply.raw.headersSent ? reply.statusCode : CLIENT_CLOSED_REQUEST),
      );
      request.answered = () => answered(reply.statusCode);
      done();
    }
  });
}

/** A streamed response whose client reads nothing would hold its quota for ever, so it is ended. */
function endWhenStalled({ raw }: FastifyReply, stallMs: number): void {
  let lastWritten = -1;
  const timer = setInterval(() => {
    const { bytesWritten } = raw.socket ?? { bytesWritten: 0 };
    if (raw.writableNeedDrain && bytesWritten === lastWritten) raw.destroy();
    lastWritten = bytesWritten;
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
    log.debug(
      { requestId: request.id },
      'client closed the connection before its request was complete',
    );
  }
  if (failure.code === 'INTERNAL') {
    log.error(
      {
        err: failure.cause,
        requestId: request.id,
        operation: request.routeOptions.config.operation?.id,
      },
      'request failed unexpectedly',
    );
  }
  // Fastify would close the connection while the client is still sending the body, and the client
  // would see a reset instead of the response. The rest is read and dropped, within the request timeout.
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
  if (isFileError(error, request)) return noSuchAddress();
  return isAborted(error, request) ? malformedBody('is incomplete') : failureOf(error);
}

/** The request itself ended with this error, which happens only when its connection did. */
function isAborted(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.errored !== null && raw.errored === error;
}

/** The file server reports a missing or forbidden file by several 4xx errors; all become 404. */
function isFileError(error: unknown, request: FastifyRequest): boolean {
  const { statusCode = 500 } = Object(error) as { readonly statusCode?: number };
  const isOfOperation = request.routeOptions.config.operation !== undefined;
  return !isOfOperation && !(error instanceof Failure) && statusCode >= 400 && statusCode < 500;
}

/** Health and metrics are served also when everything else is refused: they show the reason. */
function isProbe(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.tag === 'Service';
}

/** Under overload new requests are refused rather than queued. */
function overloaded(): Failure {
  return new Failure('OVERLOADED', 'The server is overloaded; try again shortly.', {
    retryAfterSeconds: 1,
  });
}
