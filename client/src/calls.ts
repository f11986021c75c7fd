import type {
  ColumnsBody,
  Operation,
  OperationId,
  Operations,
  Params,
  ReplyBody,
  WrittenBody,
  WrittenQuery,
} from '@fieldwatch/contract';
import type { FollowedEvent, FollowOptions } from './follow.ts';

type Nothing = Record<never, never>;

type QueryPart<O extends Operation> = O extends { readonly query: object }
  ? Nothing extends WrittenQuery<O>
    ? { readonly query?: WrittenQuery<O> }
    : { readonly query: WrittenQuery<O> }
  : Nothing;

type BodyPart<O extends Operation> = O extends { readonly body: object }
  ? O extends { readonly bodyOptional: true }
    ? { readonly body?: WrittenBody<O> }
    : { readonly body: WrittenBody<O> }
  : Nothing;

/** What an operation is called with: its path parameters by name, `query` and `body`. */
export type InputOf<O extends Operation> = Params<O> & QueryPart<O> & BodyPart<O>;

export interface CallOptions {
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the whole call may take; 30 seconds unless said. */
  readonly timeoutMs?: number;
}

type TaggedChange = {
  readonly method: 'PATCH' | 'DELETE';
  readonly reply: { readonly tagged: true };
};
type TaggedRead = { readonly method: 'GET'; readonly reply: { readonly tagged: true } };
type Create = { readonly method: 'POST'; readonly reply: { readonly status: 201 } };

/** An operation takes only the options that it honours. */
export type OptionsOf<O extends Operation> = CallOptions &
  (O extends Create
    ? {
        /** The same key and input within a day gives the first answer again. */
        readonly idempotencyKey?: string;
      }
    : Nothing) &
  (O extends TaggedChange
    ? {
        /** The `etag` that the record must still have. */
        readonly ifMatch?: string;
      }
    : Nothing);

type SendsEvents = { readonly events: object };
/** For clients of another protocol. */
type TakesOtherBody = { readonly bodyMediaType: string };

/** The operations that take JSON and answer once. */
export type CallId = {
  [Id in OperationId]: Operations[Id] extends TakesOtherBody | { readonly reply: SendsEvents }
    ? never
    : Id;
}[OperationId];

/** The operations that honour `ifNoneMatch`. */
export type TaggedReadId = {
  [Id in OperationId]: Operations[Id] extends TaggedRead ? Id : never;
}[OperationId];

/** The operations that answer by column too. */
export type ColumnsId = {
  [Id in OperationId]: Operations[Id]['reply'] extends { readonly columns: object } ? Id : never;
}[OperationId];

/** The operations that also answer with a file. */
export type FileId = {
  [Id in OperationId]: Operations[Id]['reply'] extends { readonly csv: true } ? Id : never;
}[OperationId];

export interface DownloadOptions {
  /** Parquet where the operation offers it. */
  readonly format: 'csv' | 'parquet';
  readonly signal?: AbortSignal;
  /** Called with the number of bytes so far. */
  readonly onBytes?: (count: number) => void;
}

interface ReplyHeaders {
  readonly etag: string | null;
  readonly location: string | null;
  readonly requestId: string | null;
}

/** A reply with the values of its headers. */
export interface ReplyOf<O extends Operation> extends ReplyHeaders {
  readonly status: O['reply']['status'];
  readonly body: ReplyBody<O>;
}

/** A reply with an array for each field of its items. */
export interface ColumnsReplyOf<O extends Operation> extends ReplyHeaders {
  readonly status: O['reply']['status'];
  readonly body: ColumnsBody<O>;
}

/** The record still has the tag that the caller knows. */
export interface Unchanged extends ReplyHeaders {
  readonly status: 304;
  readonly body: undefined;
}

type Call<O extends Operation> = keyof InputOf<O> extends never
  ? (options?: OptionsOf<O>) => Promise<ReplyBody<O>>
  : Nothing extends InputOf<O>
    ? (input?: InputOf<O>, options?: OptionsOf<O>) => Promise<ReplyBody<O>>
    : (input: InputOf<O>, options?: OptionsOf<O>) => Promise<ReplyBody<O>>;

/** Events are iterated over, for as long as they are wanted. */
type Follow<O extends Operation> = (
  input: InputOf<O>,
  options?: FollowOptions,
) => AsyncGenerator<FollowedEvent<O>, void, undefined>;

/** One method for each operation of the service. */
export type Calls = {
  readonly [Id in OperationId as Operations[Id] extends TakesOtherBody
    ? never
    : Id]: Operations[Id]['reply'] extends SendsEvents
    ? Follow<Operations[Id]>
    : Call<Operations[Id]>;
};
