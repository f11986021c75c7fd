import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../runtime/index.ts';
import { connectionDefaults, type Target } from './pool.ts';

export interface NoticeListener {
  readonly channel: string;
  onNotice(text: string): void;
  /** Listening began, or began again: notices may have been missed before. */
  onGap(): void;
}

export interface Listening {
  stop(): Promise<void>;
}

interface NoticesDeps {
  readonly target: Target;
  readonly log: Log;
  readonly checkEveryMs?: number;
}

const CHECK_EVERY_MS = 15_000;
const ANSWER_LIMIT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;
const END_LIMIT_MS = 2_000;

/** Listens on one connection of its own, and connects again for as long as it is not stopped. */
export function listenForNotices(
  deps: NoticesDeps,
  listeners: readonly NoticeListener[],
): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isStopped = false;
  let ending: Promise<void> = Promise.resolve();

  /** Of a connection that is no longer ours, nothing is heard. */
  function leave(left: pg.Client): void {
    if (client !== left) return;
    client = undefined;
    clearTimeout(timer);
    ending = left.end().catch(() => undefined);
    if (isStopped) return;
    timer = setTimeout(() => void connect(), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
  }

  /** A connection whose other end is gone may stay silent for ever: it is asked now and then. */
  function checkLater(checked: pg.Client): void {
    timer = setTimeout(() => {
      checked.query('select 1').then(
        () => {
          if (client === checked) checkLater(checked);
        },
        () => leave(checked),
      );
    }, deps.checkEveryMs ?? CHECK_EVERY_MS).unref();
  }

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      ...connectionDefaults,
      query_timeout: ANSWER_LIMIT_MS,
      ...deps.target(),
    });
    client = opened;
    opened.on('error', () => leave(opened));
    opened.on('end', () => leave(opened));
    opened.on('notification', ({ channel, payload = '' }) => {
      if (client !== opened) return;
      for (const one of listeners) if (one.channel === channel) one.onNotice(payload);
    });
    try {
      await opened.connect();
      const channels = listeners.map(({ channel }) => `listen ${pg.escapeIdentifier(channel)}`);
      await opened.query(channels.join(';'));
      if (client !== opened) return;
      pauseMs = FIRST_PAUSE_MS;
      for (const one of listeners) one.onGap();
      checkLater(opened);
    } catch (error) {
      deps.log.debug({ err: error }, 'notices of other servers cannot be heard; tried again');
      leave(opened);
    }
  }

  void connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (client) leave(client);
      await Promise.race([ending, pause(END_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
