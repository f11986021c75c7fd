import { ConnectionError } from '@fieldwatch/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';

const LIMIT_MS = 5_000;
const RETRY_MS = 10_000;

/**
 * Loads a script that is not part of the first load. A script that is missing on a reachable server
 * means that the server may have a new version. Without a reachable server a reload would leave an
 * empty screen, so that failure is an error of its own.
 */
export async function loadScript<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const isServerThere = await fetch('/healthz', { signal: AbortSignal.timeout(LIMIT_MS) }).then(
      () => true,
      () => false,
    );
    if (isServerThere) throw error;
    throw new ConnectionError('UNREACHABLE', 'the script of a page cannot be had', error);
  }
}

/**
 * The script of a part of a page. Unlike that of a page, its failure leaves the rest of the page as it
 * is, and it is requested again until it is there.
 */
export function useScript<M>(name: string, load: () => Promise<M>): UseQueryResult<M, Error> {
  return useQuery({
    queryKey: ['script', name],
    queryFn: () => loadScript(load),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
}
