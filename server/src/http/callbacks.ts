import type { Operation } from '@fieldwatch/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../runtime/index.ts';
import type { Transaction } from '../storage/index.ts';
import { bodyLimitOf } from './body-limit.ts';
import { contextOf } from './context.ts';
import type { Change } from './handler.ts';
import { type QueryPairs, queryPairs } from './query.ts';
import { noteRefusal } from './refusals.ts';
import { admit, queryText, type ServeDeps } from './serve.ts';

/** What another service reports at an address that it was given. */
export interface Callback {
  /** The part of the address that names what it is about. */
  readonly token: string;
  /** Path and query, as they were requested. */
  readonly url: string;
  readonly query: QueryPairs;
  /** The fields of a form, or the texts and numbers of a JSON object, those of its objects by path. */
  readonly form: QueryPairs;
  readonly twilioSignature: string | undefined;
  readonly now: number;
  /** Runs in one transaction with the audit entries of what it returns. */
  write(work: (tx: Transaction) => Promise<readonly Change[]>): Promise<void>;
}

export interface CallbackAnswer {
  readonly mediaType: 'text/plain' | 'text/xml';
  readonly body: string;
}

export interface CallbackRoute {
  /** Names its requests in metrics and in the audit log. */
  readonly id: string;
  /** Has the parameter `{token}`. */
  readonly path: string;
  readonly answer: (callback: Callback) => Promise<CallbackAnswer>;
}

/**
 * Serves an address at which other services report, by GET or POST as they like, with fields of their
 * own. Rate, size and load are limited as for an operation that is open to anyone. The result stands
 * for it where all operations are listed.
 */
export function serveCallback(
  app: FastifyInstance,
  deps: ServeDeps,
  { id, path, answer }: CallbackRoute,
): Operation[] {
  const operation: Operation = {
    id,
    path,
    method: 'POST',
    tag: 'Phone channels',
    summary: '',
    access: { kind: 'anyone' },
    effect: 'write',
    takesForms: true,
    reply: { status: 200, description: '', holdsSecrets: true },
  };
  app.route({
    method: ['GET', 'POST'],
    // A HEAD would act like the GET.
    exposeHeadRoute: false,
    url: path.replace('{token}', ':token'),
    bodyLimit: bodyLimitOf(operation),
    config: { operation, readsForms: true },
    onRequest: (request, reply) => admit(operation, false, deps, request, reply),
    onError: async (request, _, error) => noteRefusal(deps.recordRefusal, request, error),
    handler: async (request, reply) => {
      const { mediaType, body } = await answer(callbackOf(operation, deps, request));
      reply.header('content-type', `${mediaType}; charset=utf-8`);
      return reply.send(body);
    },
  });
  return [operation, { ...operation, method: 'GET' }];
}

function callbackOf(operation: Operation, deps: ServeDeps, request: FastifyRequest): Callback {
  const context = contextOf(operation, deps.clock, request);
  const signature = request.headers['x-twilio-signature'];
  return {
    token: (request.params as Record<string, string>).token ?? '',
    url: request.url,
    query: queryPairs(queryText(request.url)) ?? [],
    form: fieldsOf(request),
    twilioSignature: typeof signature === 'string' ? signature : undefined,
    now: context.now,
    async write(work) {
      await deps.storage.anonymous.transaction(async (tx) => {
        const changes = await work(tx);
        await deps.recordChanges(tx, { ...context, operation: operation.id }, changes);
        const changed = changes.flatMap(({ organizationIds }) => organizationIds);
        tx.afterCommit(() => changed.forEach(deps.responseCache.invalidate));
      });
    },
  };
}

/** What cannot be decoded has no fields. */
function fieldsOf({ body, bodyText, headers }: FastifyRequest): QueryPairs {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be a form or JSON in UTF-8.');
  }
  if (!type.startsWith('application/json')) return queryPairs(bodyText) ?? [];
  return membersOf(body, '', 0);
}

/** Reports nest what they are about once or twice, such as `data.status`. */
const MAX_NESTING = 2;

function membersOf(value: unknown, name: string, depth: number): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[name, String(value)]];
  if (typeof value !== 'object' || value === null || depth > MAX_NESTING) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    membersOf(member, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}
