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

const LINES_AT_ONCE = 500;
const RETRY_MS = 1_000;
const NUMBER = /^\d{1,15}$/;

export function createAlarmFeed(deps: AlarmFeedDeps): AlarmFeed {
  const { storage, log } = deps;
  /** Up to which line each organization that is followed was told. */
  const positions = new Map<string, number>();
  const stopping = new AbortController();
  const underWay = new Map<string, { isNoted: boolean; readonly done: Promise<void> }>();

  /** Whoever asks where things stand is told of what follows. */
  async function begin(organizationId: string): Promise<number> {
    const newest = await findNewestLine(storage, organizationId);
    if (!positions.has(organizationId)) positions.set(organizationId, newest);
    return newest;
  }

  async function tell(organizationId: string): Promise<void> {
    for (;;) {
      const position = positions.get(organizationId);
      if (position === undefined) return;
      const changes = await read(organizationId, position, LINES_AT_ONCE);
      for (const change of changes) deps.announce(organizationId, change);
      const last = changes.at(-1);
      if (last) positions.set(organizationId, Number(last.id));
      if (changes.length < LINES_AT_ONCE && !isNotedAgain(organizationId)) return;
    }
  }

  /** Until it works: subscribers would never learn that something was left out. */
  async function tellUntilDone(organizationId: string): Promise<void> {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      try {
        await tell(organizationId);
        return;
      } catch (error) {
        if (isFirst) log.warn({ err: error }, 'alarm events could not be announced; trying again');
        await sleep(RETRY_MS, undefined, stopping).catch(() => undefined);
      }
    }
  }

  function isNotedAgain(organizationId: string): boolean {
    const work = underWay.get(organizationId);
    if (!work?.isNoted) return false;
    work.isNoted = false;
    return true;
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
      const work = underWay.get(organizationId);
      if (work) {
        work.isNoted = true;
        return;
      }
      const done = tellUntilDone(organizationId).finally(() => underWay.delete(organizationId));
      underWay.set(organizationId, { isNoted: false, done });
    },
    async stop() {
      stopping.abort();
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

function toldOf({ lineNumber, kind, notes, ...event }: ToldRow): AlarmChangeTold {
  const change = kind === 'NOTE' ? 'NOTED' : kind;
  return { id: String(lineNumber), change, event: eventRecord(event, notes) };
}
