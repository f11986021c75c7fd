import pg from 'pg';
import { endsWithin, type Log } from '../runtime/index.ts';
import { connectionDefaults, type Target } from './pool.ts';

export interface ChangeListener {
  readonly channel: string;
  onNotification(text: string): void;
  /** Listening began, or began again: notifications may have been missed before. */
  onGap(): void;
}

export interface Listening {
  stop(): Promise<void>;
}

interface ListenDeps {
  readonly target: Target;
  readonly log: Log;
  readonly checkIntervalMs?: number;
}

const CHECK_INTERVAL_MS = 15_000;
const ANSWER_LIMIT_MS = 5_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const END_LIMIT_MS = 2_000;

/** Listens for PostgreSQL notifications on a connection of its own, and reconnects until it is stopped. */
export function listenForChanges(
  deps: ListenDeps,
  listeners: readonly ChangeListener[],
): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = MIN_PAUSE_MS;
  let isStopped = false;
  let ending: Promise<void> = Promise.resolve();

  /** Ends a connection; its late events are ignored. */
  function abandon(left: pg.Client): void {
    if (client !== left) return;
    client = undefined;
    clearTimeout(timer);
    ending = left.end().catch(() => undefined);
    if (isStopped) return;
    timer = setTimeout(() => void connect(), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }

  /** A connection whose other end is gone may stay silent for ever, so it is checked periodically. */
  function checkLater(checked: pg.Client): void {
    timer = setTimeout(() => {
      checked.query('select 1').then(
        () => {
          if (client === checked) checkLater(checked);
        },
        () => abandon(checked),
      );
    }, deps.checkIntervalMs ?? CHECK_INTERVAL_MS).unref();
  }

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      ...connectionDefaults,
      query_timeout: ANSWER_LIMIT_MS,
      ...deps.target(),
    });
    client = opened;
    opened.on('error', () => abandon(opened));
    opened.on('end', () => abandon(opened));
    opened.on('notification', ({ channel, payload = '' }) => {
      if (client !== opened) return;
      for (const one of listeners) if (one.channel === channel) one.onNotification(payload);
    });
    try {
      await opened.connect();
      const channels = listeners.map(({ channel }) => `listen ${pg.escapeIdentifier(channel)}`);
      await opened.query(channels.join(';'));
      if (client !== opened) return;
      pauseMs = MIN_PAUSE_MS;
      for (const one of listeners) one.onGap();
      checkLater(opened);
    } catch (error) {
      deps.log.debug({ err: error }, 'change notifications cannot be received; trying again');
      abandon(opened);
    }
  }

  void connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (client) abandon(client);
      await endsWithin(END_LIMIT_MS, ending);
    },
  };
}
