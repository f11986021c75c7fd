import type uPlot from 'uplot';
import type { ReadingValue } from '../service/index.ts';
import type { Line, StateHistory } from './histories.ts';
import { type Period, periodsAt } from './marks.ts';
import { COLUMNS_PER_LINE } from './plot.ts';
import type { Range } from './range.ts';
import { indexAt } from './value-at.ts';

/** A single reading is a few pixels wide: it counts this far from the pointer, as a part of the range. */
const NEAR_PART = 150;

export interface ShownData {
  readonly lines: readonly Line[];
  readonly data: uPlot.AlignedData;
  readonly states: readonly StateHistory[];
  readonly periods: readonly Period[];
  readonly range: Range;
}

export interface LineValue {
  readonly line: Line;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export interface ValuesAt {
  readonly ms: number;
  /** The values of the lines that have one; hidden lines have none. */
  readonly values: readonly LineValue[];
  readonly states: readonly {
    readonly name: string;
    readonly value: ReadingValue;
    readonly unit: string | null;
  }[];
  /** The names of the alarms that were active. */
  readonly active: readonly string[];
}

/** Everything that a chart shows at a time. */
export function valuesAt({ lines, data, states, periods, range }: ShownData, ms: number): ValuesAt {
  const nearMs = (range.endMs - range.startMs) / NEAR_PART;
  return {
    ms,
    values: lines.flatMap((line, index): LineValue[] => {
      if (line.isHidden) return [];
      const first = index * COLUMNS_PER_LINE + 1;
      const tolerance = Math.max(line.bucketMs, nearMs) / 1000;
      const at = indexAt(data[0], data[first] ?? [], ms / 1000, tolerance);
      const [mean, min, max] = [0, 1, 2].map((row) => data[first + row]?.[at ?? -1]);
      return typeof mean === 'number' ? [{ line, mean, min: min ?? mean, max: max ?? mean }] : [];
    }),
    states: states.flatMap(({ variable: { name, unit }, segments }) => {
      const found = segments.find(({ startTime, endTime }) => startTime <= ms && ms <= endTime);
      return found ? [{ name, unit, value: found.value }] : [];
    }),
    active: [...new Set(periodsAt(periods, ms).map(({ label }) => label))],
  };
}
