import { setTimeout as sleep } from 'node:timers/promises';
import type { AlarmEvent } from '@fieldwatch/contract';
import type { Log } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { eventRecord } from './event.ts';
import { findNewestLine, listToldAfter, type ToldRow } from './store.ts';

/** A change of an event, and how the event is now. Later ones have greater ids. */
export interface AlarmChangeTold {
  readonly id: string;
  readonly change: 'RAISED' | 'CLEARED' | 'ACKNOWLEDGED' | 'NOTED';
  readonly event: AlarmEvent;
}

export interface AlarmFeedDeps {
  readonly storage: Queries;
  readonly log: Log;
  readonly isFollowed: (organizationId: string) => boolean;
  readonly announce: (organizationId: string, change: AlarmChangeTold) => void;
}

/** What happens to events, for those who follow it and those who come back to it. */
export interface AlarmFeed {
  newestId(organizationId: string): Promise<string>;
  /** What followed the id, oldest first; null when the id is not one that was given out. */
  after(
    organizationId: string,
    id: string,
    limit: number,
  ): Promise<readonly AlarmChangeTold[] | null>;
  /** Something happened in the organization, and is committed. */
  note(organizationId: string): void;
  /** Resolves when all that was noted is announced. */
  stop(): Promise<void>;
}

/** The announcements of one organization that are in progress. */
interface Work {
  /** Something happened that may not have been read yet. */
  isNoted: boolean;
  done: Promise<void>;
}

const LINES_AT_ONCE = 500;
const RETRY_MS = 1_000;
const NUMBER = /^\d{1,15}$/;

export function createAlarmFeed(deps: AlarmFeedDeps): AlarmFeed {
  const { storage, log } = deps;
  /** Up to which line each organization that is followed was told. */
  const positions = new Map<string, number>();
  const stopping = new AbortController();
  const inProgress = new Map<string, Work>();

  /** Whoever asks where things stand is told of what follows. */
  async function begin(organizationId: string): Promise<number> {
    const newest = await findNewestLine(storage, organizationId);
    if (!positions.has(organizationId)) positions.set(organizationId, newest);
    return newest;
  }

  async function announceNew(organizationId: string): Promise<void> {
    for (;;) {
      const position = positions.get(organizationId);
      if (position === undefined) return;
      const changes = await read(organizationId, position, LINES_AT_ONCE);
      for (const change of changes) deps.announce(organizationId, change);
      const last = changes.at(-1);
      if (last) positions.set(organizationId, Number(last.id));
      if (changes.length < LINES_AT_ONCE) return;
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
    return (await listToldAfter(storage, organizationId, after, limit)).map(toldOf);
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

function toldOf({ lineNumber, kind, notes, ...event }: ToldRow): AlarmChangeTold {
  const change = kind === 'NOTE' ? 'NOTED' : kind;
  return { id: String(lineNumber), change, event: eventRecord(event, notes) };
}
