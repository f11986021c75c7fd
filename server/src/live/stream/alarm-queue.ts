import type { AlarmAnnouncement } from '../announcement.ts';
import type { Replay } from './replay.ts';
import { alarmText } from './text.ts';

/** Alarm events that wait for one client, in order. None is skipped: a full queue ends the stream. */
export interface AlarmQueue {
  /** False when there is no hub. */
  put(alarm: AlarmAnnouncement, text: string): boolean;
  /** Sends missed alarm events before those that are announced. */
  replay(missed: Replay): void;
  /** The text to send now. More may be available later, after `onLoaded`. */
  take(): string;
  clear(): void;
}

export interface AlarmQueueDeps {
  readonly maxWaiting: number;
  readonly passes: (alarm: AlarmAnnouncement) => boolean;
  readonly onLoaded: () => void;
  readonly onFailed: () => void;
}

export function createAlarmQueue(deps: AlarmQueueDeps): AlarmQueue {
  const announced = new Map<string, string>();
  let missed: Replay | null = null;
  let page = '';
  let idsOfPage: ReadonlySet<string> = new Set();

  async function load(from: Replay): Promise<void> {
    try {
      const alarms = await from.next();
      if (missed !== from) return;
      page = alarms.filter(deps.passes).map(alarmText).join('');
      // Events that are announced during the load are on the page too.
      idsOfPage = new Set(alarms.map(({ id }) => id));
      for (const id of idsOfPage) announced.delete(id);
      if (from.isOver()) missed = null;
      deps.onLoaded();
    } catch {
      if (missed === from) deps.onFailed();
    }
  }

  return {
    put(alarm, text) {
      if (idsOfPage.has(alarm.id) || !deps.passes(alarm)) return true;
      if (announced.size >= deps.maxWaiting) return false;
      announced.set(alarm.id, text);
      return true;
    },
    replay(from) {
      missed = from;
    },
    take() {
      let text = page;
      page = '';
      if (missed === null) {
        for (const each of announced.values()) text += each;
        announced.clear();
      } else if (text === '' && !missed.isLoading()) {
        void load(missed);
      }
      return text;
    },
    clear() {
      announced.clear();
      missed = null;
      page = '';
    },
  };
}
