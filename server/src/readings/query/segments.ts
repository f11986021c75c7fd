import { type Columns, valueAt } from '../columns/index.ts';
import type { Value } from '../reading.ts';

/** A value that stayed: from its first reading to the first one of another value. */
export interface Segment {
  readonly startTime: number;
  endTime: number;
  readonly value: Value;
}

/** Joins readings that come in the order of time while their value stays the same. */
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
