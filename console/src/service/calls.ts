import {
  type ColumnsId,
  type DownloadOptions,
  FieldwatchError,
  type FileId,
  type InputOf,
} from '@fieldwatch/client';
import type { ColumnsBody, OperationId, Operations, ReplyBody } from '@fieldwatch/contract';
import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSession } from '../session/index.ts';
import { isGone } from './failures.ts';

/** The input of an operation without the organization, which is that of the session. */
export type Input<Id extends OperationId> = Omit<InputOf<Operations[Id]>, 'organizationId'>;

export type Reply<Id extends OperationId> = ReplyBody<Operations[Id]>;

/** A reply with an array for each field of its items. */
export type ColumnsReply<Id extends ColumnsId> = ColumnsBody<Operations[Id]>;

export interface ReadOptions {
  readonly enabled?: boolean;
  readonly refetchIntervalMs?: number;
  readonly staleMs?: number;
  /** How long a reply that no component uses stays in the cache. */
  readonly cacheMs?: number;
  /** Shows the previous reply while the reply to a changed input is loading. */
  readonly keepsPrevious?: boolean;
  /** Asks for a record that does not exist once, as one that was deleted never comes back. */
  readonly keepsMissing?: boolean;
}

/** History and backtests are expensive for the server, and edits do not change them. */
const UNAFFECTED_BY_WRITES: ReadonlySet<unknown> = new Set<OperationId>([
  'listManyReadings',
  'listReadingStatistics',
  'backtestAlarm',
]);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && isRetryable(error),
      },
    },
  });
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof FieldwatchError) || error.status >= 500 || error.status === 429;
}

export function keyOf(organizationId: string, id: OperationId, input: object): QueryKey {
  return [id, organizationId, input];
}

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly ifMatch?: string;
  readonly isByColumn?: true;
}

/** Calls operations in the organization of the session. */
export function useRequest() {
  const { client, organization } = useSession();
  return async <Id extends OperationId>(id: Id, input: Input<Id>, options: RequestOptions = {}) => {
    const complete = { organizationId: organization.id, ...input };
    const { body, etag } = await client.request(id, complete as never, options as never);
    return { body: body as Reply<Id>, etag };
  };
}

/** Reads by an operation and keeps the reply up to date. */
export function useRead<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: ReadOptions = {},
): UseQueryResult<Reply<Id>, Error> {
  return useReply(id, input, options, {}) as UseQueryResult<Reply<Id>, Error>;
}

/** The same by column, for what has many items. */
export function useReadColumns<Id extends ColumnsId>(
  id: Id,
  input: Input<Id>,
  options: ReadOptions = {},
): UseQueryResult<ColumnsReply<Id>, Error> {
  return useReply(id, input, options, { isByColumn: true }) as UseQueryResult<
    ColumnsReply<Id>,
    Error
  >;
}

/** Whether a reply may be read again without a reason. */
const isNotMissing = ({ state }: { state: { error: Error | null } }) => !isGone(state.error);
const KEPT_MISSING = {
  retryOnMount: isNotMissing,
  refetchOnMount: isNotMissing,
  refetchOnWindowFocus: isNotMissing,
  refetchOnReconnect: isNotMissing,
};

function useReply<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: ReadOptions,
  form: Pick<RequestOptions, 'isByColumn'>,
): UseQueryResult<unknown, Error> {
  const { organization } = useSession();
  const request = useRequest();
  const { enabled = true, refetchIntervalMs = false, staleMs, cacheMs } = options;
  const { keepsPrevious, keepsMissing } = options;
  return useQuery({
    queryKey: keyOf(organization.id, id, input),
    queryFn: async ({ signal }): Promise<unknown> =>
      (await request(id, input, { signal, ...form })).body,
    enabled,
    refetchInterval: refetchIntervalMs,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(cacheMs === undefined ? {} : { gcTime: cacheMs }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(keepsMissing ? KEPT_MISSING : {}),
  });
}

/** The input of a write, with the entity tag that the record must still have. */
type WriteInput<Id extends OperationId> = Input<Id> & { readonly ifMatch?: string | undefined };

/**
 * Writes by an operation, then reads everything on the screen again. `leave` runs before that, so
 * that the page of a deleted record is left before its record is read again.
 */
export function useWrite<Id extends OperationId>(
  id: Id,
  leave?: () => Promise<void>,
): UseMutationResult<Reply<Id>, Error, WriteInput<Id>> {
  const request = useRequest();
  const refresh = useRefresh();
  return useMutation<Reply<Id>, Error, WriteInput<Id>>({
    mutationFn: async ({ ifMatch, ...input }) => {
      const options = ifMatch === undefined ? {} : { ifMatch };
      return (await request(id, input as Input<Id>, options)).body;
    },
    onSuccess: async () => {
      await leave?.();
      await refresh();
    },
  });
}

/** Reads everything on the screen again, after writes. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => !UNAFFECTED_BY_WRITES.has(queryKey[0]),
    });
}

/** Calls an operation whose reply is not cached, such as a page of an export. */
export function useCall() {
  const request = useRequest();
  return async <Id extends OperationId>(id: Id, input: Input<Id>): Promise<Reply<Id>> =>
    (await request(id, input)).body;
}

/** Downloads a file by an operation that offers it. */
export function useDownload() {
  const { client, organization } = useSession();
  return <Id extends FileId>(id: Id, input: Input<Id>, options: DownloadOptions): Promise<Blob> =>
    client.download(
      id as never,
      { organizationId: organization.id, ...input } as never,
      options as never,
    );
}
