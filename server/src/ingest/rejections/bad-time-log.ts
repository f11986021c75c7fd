import { isoDateTime, type Log } from '../../runtime/index.ts';
import type { MessageOutcome } from './counts.ts';

const LOG_EVERY_MS = 60_000;

/**
 * Logs that readings are rejected for their time, at most once a minute: when every Device seems to
 * be wrong, it is the clock of the server.
 */
export class BadTimeLog {
  readonly #log: Pick<Log, 'warn'>;
  #readings = 0;
  readonly #deviceIds = new Set<string>();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  note(deviceId: string, { rejected, at }: Pick<MessageOutcome, 'rejected' | 'at'>): void {
    let found = 0;
    for (const { reason } of rejected) if (reason === 'badTime') found += 1;
    if (found === 0) return;
    this.#readings += found;
    this.#deviceIds.add(deviceId);
    // Also when the clock was set back.
    if (Math.abs(at - this.#loggedAt) < LOG_EVERY_MS) return;
    this.#log.warn(
      {
        readings: this.#readings,
        devices: this.#deviceIds.size,
        deviceId,
        serverTime: isoDateTime(at),
      },
      'readings are rejected for their time: before 2000, or more than 10 minutes ahead of the clock of the server',
    );
    this.#loggedAt = at;
    this.#readings = 0;
    this.#deviceIds.clear();
  }
}
