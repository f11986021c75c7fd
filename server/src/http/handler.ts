import type { Readable } from 'node:stream';
import type { Body, Operation, Params, Query, ReplyBody } from '@fieldwatch/contract';
import type { Transaction } from '../storage/index.ts';
import type { Format } from './accept.ts';
import type { Browser, SetCookie } from './browser.ts';
import type { Caller } from './caller.ts';
import type { Precondition } from './etag.ts';
import type { DecodeBody } from './json-body.ts';

/** What the caller sent, parsed and checked. */
export interface Input<O extends Operation> {
  readonly params: Params<O>;
  readonly query: Query<O>;
  readonly body: Body<O>;
}

export interface Context {
  readonly requestId: string;
  readonly address: string;
  /** When the request arrived, in epoch milliseconds. */
  readonly now: number;
}

/** Operations open to anyone have no caller. */
type CallerOf<O extends Operation> = O['access'] extends { readonly kind: 'anyone' }
  ? null
  : Caller;

export interface ReadContext<C extends Caller | null> extends Context {
  readonly caller: C;
  /** The format that the client prefers among those that the operation offers. */
  readonly format: Format;
  /** The `User-Agent` header, cut to a length that can be stored. */
  readonly userAgent: string | null;
  /** True once the connection is closed: no client reads the response any more. */
  readonly isClientGone: () => boolean;
  /** The browser that sent the request, as far as its headers show. */
  readonly browser: Browser;
}

/** The context of an operation that sends events, beyond that of a read. */
export interface EventsContext<C extends Caller | null> {
  /** What `Last-Event-ID` said. */
  readonly lastEventId: string | undefined;
  /**
   * Checks the credentials again: rejects when they are no longer valid, or no longer sufficient
   * for this operation.
   */
  readonly reauthorize: () => Promise<C>;
}

type ContextOf<O extends Operation> = ReadContext<CallerOf<O>> &
  (O['reply'] extends { readonly events: object } ? EventsContext<CallerOf<O>> : unknown);

export interface WriteContext<C extends Caller | null> extends ReadContext<C> {
  /** Everything the handler writes goes through this; so do its audit entry and its idempotency key. */
  readonly tx: Transaction;
  /** What `If-Match` asked for. Check it against the locked row before changing it. */
  readonly precondition: Precondition;
}

/** A record's fields by name, as the interface shows them. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a write did, for the audit log. The changed fields are found by comparing. */
export interface Change {
  /** The organizations in whose audit log it is recorded. */
  readonly organizationIds: readonly string[];
  /** The kind of thing: `ApiKey`. */
  readonly resource: string;
  readonly resourceId: string;
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
  /** Who did it, where the request itself carries no credentials. */
  readonly actor?: { readonly kind: 'USER'; readonly id: string; readonly name: string };
}

/** What became of one record of an organization, by what people see of it. */
export function changeOf(
  organizationId: string,
  resource: string,
  { id, before, after }: { id: string; before?: Fields | undefined; after?: Fields | undefined },
): Change {
  return { organizationIds: [organizationId], resource, resourceId: id, before, after };
}

/** A tagged record comes with its revision, a created one with its path for `Location`. */
type Tagged<O extends Operation> = O['reply'] extends {
  readonly tagged: true;
  readonly status: 200 | 201;
}
  ? { readonly revision: number }
  : unknown;
type Located<O extends Operation> = O['reply']['status'] extends 201
  ? { readonly location: string }
  : unknown;

/** From an operation that uses cookies. */
type WithCookie<O extends Operation> = O extends { readonly usesCookie: true }
  ? { readonly cookie?: SetCookie }
  : unknown;

/** Chunks of a file, sent as they come. */
export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** From an operation that offers it. */
type Csv<O extends Operation> = O['reply'] extends { readonly csv: true }
  ? { readonly csv: Chunks; readonly fileName: string }
  : never;
type Parquet<O extends Operation> = O['reply'] extends { readonly parquet: true }
  ? { readonly parquet: Chunks; readonly fileName: string }
  : never;

/** JSON that the handler has written itself: the body, or the same by column. */
type WrittenJson<O extends Operation> = O['reply'] extends { readonly columns: object }
  ? { readonly json: Uint8Array } | { readonly columns: Uint8Array }
  : never;

/**
 * The answer of a read. An operation that replies 204 has the body undefined; one that sends events
 * answers with a stream of their text, which is destroyed when the client disconnects.
 */
export type Answer<O extends Operation> = O['reply'] extends { readonly events: object }
  ? { readonly events: Readable }
  :
      | ({ readonly body: ReplyBody<O> } & Tagged<O> & Located<O> & WithCookie<O>)
      | Csv<O>
      | Parquet<O>
      | WrittenJson<O>;

/** The answer of a write. It cannot be given without saying what changed: nothing is an empty list. */
export type Written<O extends Operation> = Answer<O> & { readonly changes: readonly Change[] };

export type Handler<O extends Operation> = O['effect'] extends 'write'
  ? (input: Input<O>, context: WriteContext<CallerOf<O>>) => Promise<Written<O>>
  : (input: Input<O>, context: ContextOf<O>) => Promise<Answer<O>>;

/** A read that writes the JSON of its body itself, where that is faster. */
export type JsonHandler<O extends Operation> = (
  input: Input<O>,
  context: ContextOf<O>,
) => Promise<Answer<O> | { readonly json: string }>;

/**
 * A write with work to do before its transaction: hashing a password, calling another server. No
 * connection is held meanwhile. The function that `prepare` resolves with runs in the transaction,
 * and once more from the start when PostgreSQL asks for that. It may resolve with the answer
 * itself when there is nothing to write; then there is no transaction.
 */
export interface PreparedHandler<O extends Operation> {
  prepare(
    input: Input<O>,
    context: ReadContext<CallerOf<O>>,
  ): Promise<((context: WriteContext<CallerOf<O>>) => Promise<Written<O>>) | Answer<O>>;
}

export interface ServeOptions {
  /** Caches the responses of a read for a second, until something changes in the organization. */
  readonly isCached?: boolean;
  readonly decodeBody?: DecodeBody;
}

/** Registers the handler of an operation. Each operation is served exactly once. */
export type Serve = <O extends Operation>(
  operation: O,
  handler: Handler<O> | (O['effect'] extends 'write' ? PreparedHandler<O> : JsonHandler<O>),
  options?: ServeOptions,
) => void;

/** Notes that a caller was refused for want of a permission. */
export type RecordRefusal = (refusal: {
  readonly caller: Caller;
  readonly organizationId: string | undefined;
  readonly operation: string;
  readonly code: 'PERMISSION_MISSING' | 'USER_REQUIRED';
  readonly address: string;
}) => void;

/** Writes the audit entries of one request, in its transaction. */
export type RecordChanges = (
  tx: Transaction,
  request: Context & { readonly operation: string; readonly caller: Caller | null },
  changes: readonly Change[],
) => Promise<void>;
