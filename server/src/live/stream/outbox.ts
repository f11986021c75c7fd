import type { LiveLimits } from '../limits.ts';
import { missedText, readingsText, type SharedValue } from './text.ts';
import { createWaitingValues } from './waiting-values.ts';

/** Values and Devices that wait for one client, replaced by newer ones and bounded by the limits. */
export interface Outbox {
  putValue(value: SharedValue): void;
  /** Replaces an older text about the Device. */
  putDevice(deviceId: string, text: string): void;
  putMissed(count: number): void;
  /** The waiting Devices and one batch of values; empty without any. */
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
    putMissed(count) {
      missed += count;
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
