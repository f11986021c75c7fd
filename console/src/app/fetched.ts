import { ConnectionError } from '@fieldwatch/client';

const LIMIT_MS = 5_000;

/**
 * The script of a page. Where it cannot be had, the router loads the whole console anew, since the
 * server may have another one by now. With no server there that would leave nothing on the screen.
 */
export async function fetched<M>(load: () => Promise<M>): Promise<M> {
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
