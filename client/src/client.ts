import {
  COLUMNS_MEDIA_TYPE,
  type Operation,
  type OperationId,
  type Operations,
  operations,
  paramNames,
} from '@fieldwatch/contract';
import type { Input } from './address.ts';
import type {
  CallId,
  CallOptions,
  Calls,
  ColumnsId,
  ColumnsReplyOf,
  DownloadOptions,
  FileId,
  InputOf,
  OptionsOf,
  ReplyOf,
  TaggedReadId,
  Unchanged,
} from './calls.ts';
import { type Credentials, createAuthorizer } from './credentials.ts';
import { FieldwatchError } from './errors.ts';
import { type Answer, createExchange, createSend, openEvents } from './exchange.ts';
import { FILE_MEDIA_TYPES, openFile, readFile } from './files.ts';
import { type FollowOptions, followEvents, type Open } from './follow.ts';
import { DEFAULT_TIMEOUT_MS, within } from './time-limit.ts';

export interface ClientOptions {
  /** Where the service is: `https://fieldwatch.example.com`. A path before the service's is kept. */
  readonly baseUrl: string;
  /** Left out for operations that are open to anyone. */
  readonly credentials?: Credentials;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Every operation as a method that answers its body; `request` returns status and headers too. */
export interface Client extends Calls {
  /** By column: shorter, and quicker to read, where there are many items. */
  request<Id extends ColumnsId>(
    operation: Id,
    input: InputOf<Operations[Id]>,
    options: OptionsOf<Operations[Id]> & { readonly isByColumn: true },
  ): Promise<ColumnsReplyOf<Operations[Id]>>;
  request<Id extends CallId>(
    operation: Id,
    input: InputOf<Operations[Id]>,
    options?: OptionsOf<Operations[Id]>,
  ): Promise<ReplyOf<Operations[Id]>>;
  /** With the tag that is known already, the answer may be 304 without a body. */
  request<Id extends TaggedReadId>(
    operation: Id,
    input: InputOf<Operations[Id]>,
    options: OptionsOf<Operations[Id]> & { readonly ifNoneMatch: string },
  ): Promise<ReplyOf<Operations[Id]> | Unchanged>;
  /** A file of an operation that offers it. It is read as it arrives, for as long as that takes. */
  download<Id extends FileId>(
    operation: Id,
    input: InputOf<Operations[Id]>,
    options: DownloadOptions,
  ): Promise<Blob>;
  /** Ends the session, if there is one. The client sends no credentials afterwards. */
  signOut(): Promise<void>;
}

/** All options that any operation takes; which one takes which is a matter of types. */
interface AnyOptions extends CallOptions {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly isByColumn?: true;
}

export function createClient({ baseUrl, credentials, fetch }: ClientOptions): Client {
  const send = createSend(baseUrl, fetch ?? ((...args) => globalThis.fetch(...args)));
  const exchange = createExchange(send);
  const authorizer = createAuthorizer(credentials, exchange);

  /** Does the work with the header of the moment, and once more with another when it was refused. */
  async function authorized<T>(
    { access }: Operation,
    headers: Headers,
    work: (headers: Headers) => Promise<T>,
  ): Promise<T> {
    const authorization = access.kind === 'anyone' ? undefined : await authorizer.header();
    if (authorization === undefined) return work(headers);
    try {
      return await work({ ...headers, authorization });
    } catch (error) {
      const refused = error instanceof FieldwatchError && error.status === 401;
      const renewed = refused ? await authorizer.renew(authorization) : undefined;
      if (renewed === undefined) throw error;
      return work({ ...headers, authorization: renewed });
    }
  }

  const perform: Perform = (operation, input, options = {}) =>
    within(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.signal, (signal) =>
      authorized(operation, headersOf(options), (headers) =>
        exchange(operation, input, headers, signal),
      ),
    );

  const open: OpenStream = (operation) => (input, headers, signal) =>
    within(DEFAULT_TIMEOUT_MS, signal, (opening) =>
      authorized(operation, headers, (all) =>
        openEvents(send, operation, input, all, both(opening, signal)),
      ),
    );

  /** The time limit is for the reply to begin. */
  const download = async (operation: Operation, input: Input, options: DownloadOptions) => {
    const { format, signal, onBytes } = options;
    const headers = { accept: `${FILE_MEDIA_TYPES[format]}, application/problem+json` };
    const reply = await within(DEFAULT_TIMEOUT_MS, signal, (opening) =>
      authorized(operation, headers, (all) =>
        openFile(send, operation, input, all, both(opening, signal)),
      ),
    );
    return await readFile(reply, onBytes);
  };

  const calls: Record<string, ReturnType<typeof callOf> | ReturnType<typeof followOf>> = {};
  for (const each of Object.values<Operation>(operations)) {
    if (each.bodyMediaType !== undefined) continue;
    calls[each.id] = each.reply.events ? followOf(open(each)) : callOf(each, perform);
  }
  return {
    ...calls,
    request: (id: OperationId, input: Input, options?: AnyOptions) =>
      perform(operations[id], input, options),
    download: (id: OperationId, input: Input, options: DownloadOptions) =>
      download(operations[id], input, options),
    signOut: () => authorizer.end(),
  } as Client;
}

type Perform = (operation: Operation, input: Input, options?: AnyOptions) => Promise<Answer>;

type Headers = Readonly<Record<string, string>>;

type OpenStream = (operation: Operation) => Open;

/** The time limit is for the opening; giving up is for as long as the stream lasts. */
function both(opening: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal ? AbortSignal.any([opening, signal]) : opening;
}

function followOf(open: Open) {
  return (input: Input = {}, options: FollowOptions = {}) => followEvents(open, input, options);
}

function callOf(operation: Operation, perform: Perform) {
  return takesInput(operation)
    ? async (input: Input = {}, options?: AnyOptions) =>
        (await perform(operation, input, options)).body
    : async (options?: AnyOptions) => (await perform(operation, {}, options)).body;
}

function takesInput({ path, query, body }: Operation): boolean {
  return paramNames(path).length > 0 || query !== undefined || body !== undefined;
}

function headersOf({
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  isByColumn,
}: AnyOptions): Record<string, string> {
  return {
    ...(isByColumn ? { accept: `${COLUMNS_MEDIA_TYPE}, application/problem+json` } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
}
