import { Readable } from 'node:stream';
import { type Operation, paramNames } from '@fieldwatch/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Clock,
  Failure,
  type Keyring,
  type RateLimit,
  rateLimitKey,
} from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { authorize } from './authorize.ts';
import { bodyLimitOf } from './body-limit.ts';
import type { SetCookie } from './browser.ts';
import { type Authenticate, type Caller, credentialOf } from './caller.ts';
import { contextOf } from './context.ts';
import { precondition } from './etag.ts';
import type {
  Change,
  Chunks,
  RecordChanges,
  RecordRefusal,
  Serve,
  ServeOptions,
} from './handler.ts';
import { once, repeatable } from './idempotency.ts';
import { createInputParser, type Parsed } from './input.ts';
import { type Presented, present } from './present.ts';
import { queryPairs } from './query.ts';
import { noteRefusal } from './refusals.ts';
import { withinSpan } from './request-span.ts';
import type { ResponseCache } from './response-cache.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the operation's access was granted; null for operations open to anyone. */
    caller: Caller | null;
    /** The client address, from the connection and the headers of trusted proxies. */
    clientAddress: string;
    /** Counts the request as answered, though its stream may stay open for hours. */
    answered: (() => void) | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** What serving operations needs. */
export interface ServeDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly authenticate: Authenticate;
  readonly recordChanges: RecordChanges;
  readonly recordRefusal: RecordRefusal;
  readonly responseCache: ResponseCache;
  /** Requests of one credential, or of one address where there is none; null means no limit. */
  readonly requestLimit: RateLimit | null;
}

export function createServe(app: FastifyInstance, deps: ServeDeps): Serve {
  app.decorateRequest('caller', null);
  return (operation, handler, options = {}) => {
    const parse = createInputParser(operation);
    const isOfOrganization = isScoped(operation);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyLimitOf(operation),
      config: { operation, ...(options.decodeBody && { decodeBody: options.decodeBody }) },
      onRequest: (request, reply) => admit(operation, isOfOrganization, deps, request, reply),
      onError: async (request, _, error) => noteRefusal(deps.recordRefusal, request, error),
      handler: withinSpan(async (request, reply) => {
        const input = () =>
          parse({
            params: request.params as Record<string, string>,
            query: queryText(request.url),
            body: bodyOf(operation, request),
            bodyText: request.bodyText,
            isBodyDecoded: request.isBodyDecoded,
          });
        const presented =
          operation.effect === 'write'
            ? await write(operation, handler as AnyWrite | AnyPrepared, deps, request, input())
            : await read(operation, handler as AnyRead, deps, request, input, options);
        const { status, headers, body, stream } = presented;
        reply.code(status).headers(headers);
        if (stream) return sendStream(operation, request, reply, stream);
        // Not returned: a returned reply is waited for until its last byte, by listeners of its own.
        reply.send(body);
        return undefined;
      }),
    });
  };
}

/** Undefined when there was none. */
function bodyOf({ bodyMediaType }: Operation, request: FastifyRequest): unknown {
  if (bodyMediaType !== undefined) return request.body ?? undefined;
  // The framework says null where nothing was sent, and null can be sent.
  return request.bodyText === '' && !request.isBodyDecoded ? undefined : request.body;
}

function isScoped({ path }: Operation): boolean {
  return paramNames(path).includes('organizationId');
}

function sendStream(
  { reply: { events } }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  stream: NonNullable<Presented['stream']>,
): FastifyReply {
  const text = stream instanceof Readable ? stream : Readable.from(stream);
  if (request.method === 'HEAD') {
    text.destroy();
    return reply.send();
  }
  if (events) request.answered?.();
  return reply.send(text);
}

type Answered = {
  body?: unknown;
  csv?: Chunks;
  parquet?: Chunks;
  json?: string | Uint8Array;
  columns?: Uint8Array;
  fileName?: string;
  events?: Readable;
  revision?: number;
  location?: string;
  cookie?: SetCookie;
};
type AnyRead = (input: unknown, context: unknown) => Promise<Answered>;
type AnyWritten = Promise<Answered & { changes: Change[] }>;
type AnyWrite = (input: unknown, context: unknown) => AnyWritten;
type AnyPrepared = {
  prepare(input: unknown, context: unknown): Promise<((context: unknown) => AnyWritten) | Answered>;
};

export function queryText(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** Authenticates, authorizes and limits the rate before a byte of the body is read. */
export async function admit(
  operation: Operation,
  isOfOrganization: boolean,
  deps: ServeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (operation.access.kind !== 'anyone') {
    request.caller = await callerOf(operation, deps, request);
  }
  // Health checks must not use up the rate limit of users who sign in from the same address.
  if (operation.tag !== 'Service') limitRate(deps, request, reply);
  if (request.caller) requireAccess(operation, isOfOrganization, request, request.caller);
}

function callerOf(
  { access, isForDevices = false, isKeyInQuery }: Operation,
  deps: ServeDeps,
  request: FastifyRequest,
): Promise<Caller> {
  const authorization =
    request.headers.authorization ??
    (isKeyInQuery ? keyInQuery(queryText(request.url)) : undefined);
  return deps.authenticate(authorization, request.clientAddress, {
    isForDevices,
    isForShareLinks: access.kind === 'share',
  });
}

function requireAccess(
  { access }: Operation,
  isOfOrganization: boolean,
  request: FastifyRequest,
  caller: Caller,
): void {
  const { organizationId } = request.params as Record<string, string>;
  const refusal = authorize(access, caller, isOfOrganization ? organizationId : undefined);
  if (refusal) throw refusal;
}

/** The `Authorization` header that corresponds to an API key in the query. */
function keyInQuery(query: string): string | undefined {
  const given = new Map(queryPairs(query));
  const [id, secret] = [given.get('apiKeyId'), given.get('apiKeySecret')];
  if (id === undefined || secret === undefined) return undefined;
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function limitRate(deps: ServeDeps, request: FastifyRequest, reply: FastifyReply): void {
  if (!deps.requestLimit) return;
  const { allowed, limit, remaining, resetSeconds } = deps.requestLimit.hit(
    request.caller ? credentialOf(request.caller) : rateLimitKey(request.clientAddress),
  );
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': resetSeconds,
  });
  if (!allowed) {
    throw new Failure('TOO_MANY_REQUESTS', `At most ${limit} requests a minute.`, {
      retryAfterSeconds: resetSeconds,
    });
  }
}

/** The context of an operation that sends events, beyond that of a read. */
function eventsContextOf(operation: Operation, deps: ServeDeps, request: FastifyRequest) {
  const lastEventId = request.headers['last-event-id'];
  return {
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    async reauthorize() {
      const caller = await callerOf(operation, deps, request);
      requireAccess(operation, isScoped(operation), request, caller);
      return caller;
    },
  };
}

/** A cached response is found by the raw request, before the request is parsed. */
async function read(
  operation: Operation,
  handler: AnyRead,
  deps: ServeDeps,
  request: FastifyRequest,
  input: () => Parsed,
  { isCached = false }: ServeOptions,
): Promise<Presented> {
  const make = async () =>
    present(
      operation,
      await handler(input(), {
        ...contextOf(operation, deps.clock, request),
        ...(operation.reply.events && eventsContextOf(operation, deps, request)),
      }),
      request.headers['if-none-match'],
    );
  const { organizationId } = request.params as Record<string, string>;
  if (!isCached || !request.caller || organizationId === undefined) return make();
  const sent = `${credentialOf(request.caller)} ${request.url} ${request.bodyText}`;
  return deps.responseCache.get(organizationId.toLowerCase(), sent, make);
}

/** The work, its audit entries and its idempotency key commit together or not at all. */
async function write(
  operation: Operation,
  handler: AnyWrite | AnyPrepared,
  deps: ServeDeps,
  request: FastifyRequest,
  input: Parsed,
): Promise<Presented> {
  const context = contextOf(operation, deps.clock, request);
  const header = operation.reply.status === 201 ? request.headers['idempotency-key'] : undefined;
  const repeat =
    header === undefined || !request.caller
      ? undefined
      : repeatable(header, credentialOf(request.caller), operation.id, {
          url: request.url,
          body: request.body,
          nowMs: context.now,
        });
  const run =
    typeof handler === 'function'
      ? (inTransaction: unknown) => handler(input, inTransaction)
      : await handler.prepare(input, context);
  if (typeof run !== 'function') return present(operation, run);
  const lane = request.caller ? deps.storage : deps.storage.anonymous;
  const outcome = await lane.transaction((tx) => {
    const work = async () => {
      const answer = await run({
        ...context,
        tx,
        precondition: precondition(request.headers['if-match']),
      });
      await deps.recordChanges(tx, { ...context, operation: operation.id }, answer.changes);
      const changed = answer.changes.flatMap(({ organizationIds }) => organizationIds);
      tx.afterCommit(() => changed.forEach(deps.responseCache.invalidate));
      return present(operation, answer);
    };
    return (repeat ? once(tx, deps.keyring, repeat, work) : work()).catch(committedFailure);
  });
  if (outcome instanceof Failure) throw outcome;
  return outcome;
}

/** A failure whose writes must be kept commits them; any other rolls back. */
function committedFailure(error: unknown): Failure {
  if (error instanceof Failure && error.keepsWrites) return error;
  throw error;
}
