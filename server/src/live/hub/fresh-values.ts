import type { LiveReading } from '../announcement.ts';
import type { SharedValue } from '../stream/index.ts';

/** The newest value of each Variable since the last batch, shared by all streams. */
export interface FreshValues {
  /** False when the limit is reached and the values have to be taken. */
  put(reading: LiveReading): boolean;
  /** Removes and returns all values, by Variable. */
  take(): ReadonlyMap<string, SharedValue>;
}

interface Cell {
  reading: LiveReading | null;
}

export function createFreshValues(max: number): FreshValues {
  // Cells are reused for each batch: growing a new map each time would dominate the cost.
  const cells = new Map<string, Cell>();
  let fresh: Cell[] = [];

  function add(reading: LiveReading, cell: Cell): void {
    cell.reading = reading;
    fresh.push(cell);
  }

  return {
    put(reading) {
      const { id } = reading.variable;
      const cell = cells.get(id);
      if (cell === undefined) {
        const made: Cell = { reading: null };
        cells.set(id, made);
        add(reading, made);
      } else if (cell.reading === null) {
        add(reading, cell);
      } else if (cell.reading.at <= reading.at) {
        cell.reading = reading;
      }
      return fresh.length < max;
    },
    take() {
      const values = new Map<string, SharedValue>();
      for (const cell of fresh) {
        if (cell.reading === null) continue;
        values.set(cell.reading.variable.id, { reading: cell.reading, text: null });
        cell.reading = null;
      }
      fresh = [];
      if (cells.size > max) cells.clear();
      return values;
    },
  };
}
