import type { LiveLimits } from '../limits.ts';
import { type SharedValue, valueText } from './text.ts';

/** Values that wait for one client: the newest of each Variable, up to a limit. */
export interface WaitingValues {
  /** False when the value was dropped at the limit. */
  put(value: SharedValue): boolean;
  /** One batch of values, those that wait longest first. */
  take(): string[];
  size(): number;
  clear(): void;
}

type ValueLimits = Pick<LiveLimits, 'maxBatchValues' | 'maxBatchLength' | 'maxWaitingWeight'>;

const CHARACTERS_PER_WEIGHT = 256;

function weightOf({ reading: { value } }: SharedValue): number {
  return 1 + (typeof value === 'string' ? Math.floor(value.length / CHARACTERS_PER_WEIGHT) : 0);
}

export function createWaitingValues(limits: ValueLimits): WaitingValues {
  // In the order of their first waiting value: a newer value keeps that position.
  const values = new Map<string, SharedValue>();
  let weight = 0;

  function remove(variableId: string, value: SharedValue): void {
    values.delete(variableId);
    weight -= weightOf(value);
  }

  return {
    put(value) {
      const { variable, at } = value.reading;
      const old = values.get(variable.id);
      if (old && old.reading.at > at) return true;
      const added = weightOf(value) - (old ? weightOf(old) : 0);
      if (added > 0 && weight + added > limits.maxWaitingWeight) {
        // The old value must not be sent as the newest.
        if (old) remove(variable.id, old);
        return false;
      }
      weight += added;
      values.set(variable.id, value);
      return true;
    },
    take() {
      const texts: string[] = [];
      let length = 0;
      for (const [variableId, value] of values) {
        if (texts.length === limits.maxBatchValues || length >= limits.maxBatchLength) break;
        const text = valueText(value);
        remove(variableId, value);
        texts.push(text);
        length += text.length;
      }
      return texts;
    },
    size: () => values.size,
    clear() {
      values.clear();
      weight = 0;
    },
  };
}
