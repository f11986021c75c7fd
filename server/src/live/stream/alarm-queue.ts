import type { AlarmAnnouncement } from '../announcement.ts';
import type { Resumption } from './replay.ts';
import { alarmText } from './text.ts';

/** Alarm events that wait for one reader, in order. None is left out: rather the stream ends. */
export interface AlarmQueue {
  /** False when there is no room. */
  put(alarm: AlarmAnnouncement, text: string): boolean;
  /** Before what is announced comes what was missed. */
  resume(missed: Resumption): void;
  /** What the reader, who is ready, is to be sent now. It may come later: `onLoaded` tells. */
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
  let missed: Resumption | null = null;
  let page = '';
  let idsOfPage: ReadonlySet<string> = new Set();

  async function load(from: Resumption): Promise<void> {
    try {
      const alarms = await from.next();
      if (missed !== from) return;
      page = alarms.filter(deps.passes).map(alarmText).join('');
      // What is announced while it is read would come twice.
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
    resume(from) {
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
