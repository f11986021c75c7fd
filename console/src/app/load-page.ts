import { ConnectionError } from '@fieldwatch/client';

const LIMIT_MS = 5_000;

/**
 * Loads the script of a page. When that fails, the router reloads the console, since the server may
 * have a new version. Without a reachable server a reload would leave an empty screen.
 */
export async function loadPage<M>(load: () => Promise<M>): Promise<M> {
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
