import type { LiveReading } from '../announcement.ts';
import type { SharedValue } from '../stream/index.ts';

/** The newest value of each Variable since the last batch: one, however many streams there are. */
export interface FreshValues {
  /** False when it is time to take them. */
  put(reading: LiveReading): boolean;
  /** All of them, by Variable; from here on others are collected. */
  take(): ReadonlyMap<string, SharedValue>;
}

interface Slot {
  reading: LiveReading | null;
}

export function createFreshValues(max: number): FreshValues {
  // Slots stay from batch to batch: a map that grows anew each time costs more than all else here.
  const slots = new Map<string, Slot>();
  let fresh: Slot[] = [];

  function add(reading: LiveReading, slot: Slot): void {
    slot.reading = reading;
    fresh.push(slot);
  }

  return {
    put(reading) {
      const { id } = reading.variable;
      const slot = slots.get(id);
      if (slot === undefined) {
        const made: Slot = { reading: null };
        slots.set(id, made);
        add(reading, made);
      } else if (slot.reading === null) {
        add(reading, slot);
      } else if (slot.reading.at <= reading.at) {
        slot.reading = reading;
      }
      return fresh.length < max;
    },
    take() {
      const values = new Map<string, SharedValue>();
      for (const slot of fresh) {
        if (slot.reading === null) continue;
        values.set(slot.reading.variable.id, { reading: slot.reading, text: null });
        slot.reading = null;
      }
      fresh = [];
      if (slots.size > max) slots.clear();
      return values;
    },
  };
}
