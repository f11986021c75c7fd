import { type Columns, valueAt } from '../columns/index.ts';
import type { Value } from '../reading.ts';

/** A period of one value: from its first reading to the first reading of another value. */
export interface Segment {
  readonly startTime: number;
  endTime: number;
  readonly value: Value;
}

/** Combines consecutive readings of equal value. Readings are added in time order. */
export class Segments {
  readonly items: Segment[] = [];

  add(columns: Columns): void {
    const { times, values } = columns;
    let open = this.items.at(-1);
    for (let index = 0; index < times.length; index += 1) {
      const at = times[index] as number;
      if (index === 0 || values[index] !== values[index - 1]) {
        const value = valueAt(columns, index);
        if (open) open.endTime = at;
        if (open?.value === value) continue;
        open = { startTime: at, endTime: at, value };
        this.items.push(open);
      } else if (open) open.endTime = at;
    }
  }
}
