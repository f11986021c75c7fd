import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Log } from '../../runtime/index.ts';
import { type Acquired, acquire } from './acquire.ts';
import { findBinaries, type Package } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { prepareHome, SHELTER } from './home.ts';
import { clientConfig, openSession, serverConfig } from './session.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly postgresBin: string | null;
  readonly mayCreateCluster?: boolean;
  /** How many processes of the server connect; 1 unless given. */
  readonly processes?: number;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
  /** Where the home goes when PostgreSQL's user cannot enter the data directory. */
  readonly shelter?: string;
  readonly findPackage?: () => Promise<Package>;
}

/** A private PostgreSQL that is started again when it dies. */
export interface EmbeddedPostgres {
  /** Called with the new target when PostgreSQL was started again. */
  onMoved(listener: (target: ClientConfig) => void): void;
  /** Where it is at the moment, for a new connection. */
  target(): ClientConfig;
  /** The same for maintenance, with all rights in the cluster. */
  superuserTarget(): ClientConfig;
  stop(): Promise<void>;
}

export const DATABASE = 'fieldwatch';
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;

interface Supervised {
  current(): Acquired;
  stop(): Promise<void>;
}

/** Keeps PostgreSQL running and the lock held, until it is stopped. */
function supervise(
  first: Acquired,
  again: (signal: AbortSignal) => Promise<Acquired>,
  retakeLock: (acquired: Acquired) => Promise<Acquired>,
  { log, onBack }: { readonly log: Log; readonly onBack: () => void },
): Supervised {
  let current = first;
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve());
  });

  async function recover(): Promise<void> {
    for (let delayMs = FIRST_DELAY_MS; !stopping.signal.aborted; delayMs *= 2) {
      try {
        current = current.postmaster.hasExited()
          ? await again(stopping.signal)
          : await retakeLock(current);
        log.info('PostgreSQL is back');
        onBack();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'PostgreSQL could not be brought back yet');
        await Promise.race([pause(Math.min(delayMs, LONGEST_DELAY_MS)), stopped]);
      }
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { postmaster, session } = current;
      await Promise.race([postmaster.exited, session.ended, stopped]);
      if (stopping.signal.aborted) return;
      log.warn('PostgreSQL, or the session that holds its lock, ended; bringing it back');
      // Its end follows within moments when it is PostgreSQL itself that went.
      await Promise.race([postmaster.exited, pause(FIRST_DELAY_MS), stopped]);
      await recover();
    }
  }

  const watching = watch();
  return {
    current: () => current,
    async stop() {
      stopping.abort();
      await watching;
      await current.session.end();
      await current.postmaster.stop();
    },
  };
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, onProgress, processes = 1 } = options;
  const home = await prepareHome(dataDir, options.shelter ?? SHELTER);
  const binaries = await findBinaries(home, options.postgresBin, dataDir, options.findPackage);
  const cluster = await prepareCluster(home, binaries, options);
  onProgress('Starting PostgreSQL');
  const again = (signal: AbortSignal) =>
    acquire({ home, binaries, cluster, dataDir, processes, log, onProgress, signal });

  async function retakeLock({ postmaster }: Acquired): Promise<Acquired> {
    const session = await openSession(postmaster.endpoint, cluster.password);
    if (await session.takeLock()) return { postmaster, session };
    await session.end();
    throw new Error('another session holds the lock of the data directory');
  }

  const first = await again(new AbortController().signal);
  const listeners: ((target: ClientConfig) => void)[] = [];
  const onBack = () => {
    for (const listener of listeners) listener(target());
  };
  const supervised = supervise(first, again, retakeLock, { log, onBack });
  try {
    await first.session.ensureDatabase(DATABASE);
  } catch (error) {
    await supervised.stop();
    throw error;
  }
  const endpoint = () => supervised.current().postmaster.endpoint;
  const target = () => serverConfig(endpoint(), cluster.password, DATABASE);
  return {
    target,
    onMoved: (listener) => void listeners.push(listener),
    superuserTarget: () => clientConfig(endpoint(), cluster.password, DATABASE),
    stop: () => supervised.stop(),
  };
}
