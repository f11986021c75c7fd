import { FieldwatchError, type InputOf } from '@fieldwatch/client';
import type { OperationId, Operations, ReplyBody } from '@fieldwatch/contract';
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

/** An operation's input without the organization, which is that of the session. */
export type Given<Id extends OperationId> = Omit<InputOf<Operations[Id]>, 'organizationId'>;

export type Answer<Id extends OperationId> = ReplyBody<Operations[Id]>;

/** How a caller may bend a read. */
export interface ReadOptions {
  readonly enabled?: boolean;
  readonly refetchIntervalMs?: number;
  readonly staleMs?: number;
  /** How long an answer that nobody looks at is kept. */
  readonly keptMs?: number;
  /** Shows the last answer while the next one, to another question, is on its way. */
  readonly keepsPrevious?: boolean;
}

/** History costs the server work and does not change by what people edit. */
const UNTOUCHED_BY_WRITES: ReadonlySet<unknown> = new Set<OperationId>(['listManyReadings']);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && isWorthAnotherTry(error),
      },
    },
  });
}

function isWorthAnotherTry(error: unknown): boolean {
  return !(error instanceof FieldwatchError) || error.status >= 500;
}

export function keyOf(organizationId: string, id: OperationId, given: object): QueryKey {
  return [id, organizationId, given];
}

interface Reply {
  readonly body: unknown;
  readonly etag: string | null;
}
type Ask = (id: OperationId, input: never, options?: never) => Promise<Reply>;

interface AskOptions {
  readonly signal?: AbortSignal;
  readonly ifMatch?: string;
}

/** Calls operations in the organization of the session. */
export function useAsk() {
  const { client, organization } = useSession();
  const request: Ask = client.request;
  return async <Id extends OperationId>(id: Id, given: Given<Id>, options: AskOptions = {}) => {
    const input = { organizationId: organization.id, ...given };
    const { body, etag } = await request(id, input as never, options as never);
    return { body: body as Answer<Id>, etag };
  };
}

/** Reads by an operation of the interface and stays up to date. */
export function useRead<Id extends OperationId>(
  id: Id,
  given: Given<Id>,
  options: ReadOptions = {},
): UseQueryResult<Answer<Id>, Error> {
  const { organization } = useSession();
  const ask = useAsk();
  const { enabled = true, refetchIntervalMs = false, staleMs, keptMs, keepsPrevious } = options;
  return useQuery({
    queryKey: keyOf(organization.id, id, given),
    queryFn: async ({ signal }): Promise<Answer<Id>> => (await ask(id, given, { signal })).body,
    enabled,
    refetchInterval: refetchIntervalMs,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keptMs === undefined ? {} : { gcTime: keptMs }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  }) as UseQueryResult<Answer<Id>, Error>;
}

/** What a write is given: the operation's input, and the tag that the record must still have. */
type Written<Id extends OperationId> = Given<Id> & { readonly ifMatch?: string | undefined };

/**
 * Writes by an operation; afterwards everything that is on the screen is read again. Before that
 * `leave` goes away from the page of a record that is gone.
 */
export function useWrite<Id extends OperationId>(
  id: Id,
  leave?: () => Promise<void>,
): UseMutationResult<Answer<Id>, Error, Written<Id>> {
  const ask = useAsk();
  const queries = useQueryClient();
  return useMutation<Answer<Id>, Error, Written<Id>>({
    mutationFn: async ({ ifMatch, ...given }) => {
      const options = ifMatch === undefined ? {} : { ifMatch };
      return (await ask(id, given as Given<Id>, options)).body;
    },
    onSuccess: async () => {
      await leave?.();
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => !UNTOUCHED_BY_WRITES.has(queryKey[0]),
      });
    },
  });
}

/** For calls that are no reading on the screen, such as a search while somebody types. */
export function useCall() {
  const ask = useAsk();
  return async <Id extends OperationId>(id: Id, given: Given<Id>): Promise<Answer<Id>> =>
    (await ask(id, given)).body;
}
