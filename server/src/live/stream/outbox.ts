import type { LiveLimits } from '../limits.ts';
import { missedText, readingsText, type SharedValue } from './text.ts';
import { createWaitingValues } from './waiting-values.ts';

/** What waits for one reader and may be overtaken by newer news. It never grows beyond its limits. */
export interface Outbox {
  putValue(value: SharedValue): void;
  /** Takes the place of what was to be told of the Device. */
  putDevice(deviceId: string, text: string): void;
  /** Devices, and as many values as one batch holds; empty when nothing waits. */
  take(): string;
  isEmpty(): boolean;
  clear(): void;
}

type OutboxLimits = Pick<LiveLimits, 'maxBatchValues' | 'maxBatchLength' | 'maxWaitingWeight'>;

export function createOutbox(limits: OutboxLimits): Outbox {
  const values = createWaitingValues(limits);
  const devices = new Map<string, string>();
  let missed = 0;
  return {
    putValue(value) {
      if (!values.put(value)) missed += 1;
    },
    putDevice(deviceId, text) {
      if (devices.has(deviceId) || devices.size < limits.maxWaitingWeight) {
        devices.set(deviceId, text);
      } else {
        missed += 1;
      }
    },
    take() {
      let text = [...devices.values()].join('');
      devices.clear();
      text += readingsText(values.take());
      if (missed > 0) text += missedText(missed, false);
      missed = 0;
      return text;
    },
    isEmpty: () => values.size() === 0 && devices.size === 0 && missed === 0,
    clear() {
      values.clear();
      devices.clear();
      missed = 0;
    },
  };
}
