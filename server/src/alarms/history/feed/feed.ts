import { setTimeout as sleep } from 'node:timers/promises';
import type { AlarmEvent } from '@fieldwatch/contract';
import type { Log } from '../../../runtime/index.ts';
import type { Queries } from '../../../storage/index.ts';
import { eventRecord } from '../event.ts';
import { type ChangeRow, findNewestNumber, listChangesAfter } from './store.ts';

/** A change of an event, and how the event is now. Later ones have greater ids. */
export interface AlarmChange {
  readonly id: string;
  readonly change: 'RAISED' | 'CLEARED' | 'ACKNOWLEDGED' | 'NOTED';
  readonly event: AlarmEvent;
}

export interface AlarmFeedDeps {
  readonly storage: Queries;
  readonly log: Log;
  readonly isFollowed: (organizationId: string) => boolean;
  readonly announce: (organizationId: string, change: AlarmChange) => void;
}

/** Changes of alarm events, for subscribers and for clients that resume a stream. */
export interface AlarmFeed {
  newestId(organizationId: string): Promise<string>;
  /** The changes after the id, oldest first; null when the id was never issued. */
  after(organizationId: string, id: string, limit: number): Promise<readonly AlarmChange[] | null>;
  /** A change of the organization has been committed. */
  note(organizationId: string): void;
  /** Resolves when announcements in progress have ended. */
  stop(): Promise<void>;
}

/** The announcements of one organization that are in progress. */
interface Work {
  /** Something happened that may not have been read yet. */
  isNoted: boolean;
  done: Promise<void>;
}

const CHANGE_BATCH_SIZE = 500;
const RETRY_MS = 1_000;
const NUMBER = /^\d{1,15}$/;

export function createAlarmFeed(deps: AlarmFeedDeps): AlarmFeed {
  const { storage, log } = deps;
  /** The number of the newest change announced, for each organization that has subscribers. */
  const positions = new Map<string, number>();
  const stopping = new AbortController();
  const inProgress = new Map<string, Work>();

  /** From here on the changes of the organization are announced. */
  async function begin(organizationId: string): Promise<number> {
    const newest = await findNewestNumber(storage, organizationId);
    if (!positions.has(organizationId)) positions.set(organizationId, newest);
    return newest;
  }

  async function announceNew(organizationId: string): Promise<void> {
    for (;;) {
      const position = positions.get(organizationId);
      if (position === undefined) return;
      const changes = await read(organizationId, position, CHANGE_BATCH_SIZE);
      for (const change of changes) deps.announce(organizationId, change);
      const last = changes.at(-1);
      if (last) positions.set(organizationId, Number(last.id));
      if (changes.length < CHANGE_BATCH_SIZE) return;
    }
  }

  /**
   * Until it works: subscribers would never learn that something was left out. Nothing is awaited
   * between the last look at `isNoted` and the end, so no note falls between them.
   */
  async function announceUntilDone(organizationId: string, work: Work): Promise<void> {
    for (let failures = 0; work.isNoted && !stopping.signal.aborted; ) {
      work.isNoted = false;
      try {
        await announceNew(organizationId);
        failures = 0;
      } catch (error) {
        work.isNoted = true;
        failures += 1;
        if (failures === 1)
          log.warn({ err: error }, 'alarm events could not be announced; trying again');
        await sleep(RETRY_MS, undefined, stopping).catch(() => undefined);
      }
    }
    inProgress.delete(organizationId);
  }

  async function read(organizationId: string, after: number, limit: number) {
    return (await listChangesAfter(storage, organizationId, after, limit)).map(changeOf);
  }

  return {
    newestId: async (organizationId) => String(await begin(organizationId)),
    async after(organizationId, id, limit) {
      if (!NUMBER.test(id) || Number(id) > (await begin(organizationId))) return null;
      return await read(organizationId, Number(id), limit);
    },
    note(organizationId) {
      if (!deps.isFollowed(organizationId)) {
        positions.delete(organizationId);
        return;
      }
      const current = inProgress.get(organizationId);
      if (current) {
        current.isNoted = true;
        return;
      }
      const work: Work = { isNoted: true, done: Promise.resolve() };
      inProgress.set(organizationId, work);
      work.done = announceUntilDone(organizationId, work);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...inProgress.values()].map(({ done }) => done));
    },
  };
}

function changeOf({ number, kind, notes, ...event }: ChangeRow): AlarmChange {
  const change = kind === 'NOTE' ? 'NOTED' : kind;
  return { id: String(number), change, event: eventRecord(event, notes) };
}
