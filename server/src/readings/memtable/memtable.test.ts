import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Columns, columnsOf } from '../columns/index.ts';
import { type JournalColumns, tagOf } from '../journal/index.ts';
import type { TimedValue } from '../reading.ts';
import { BlockPool } from './block-pool.ts';
import { Memtable } from './memtable.ts';

interface Arrival {
  readonly seriesId: number;
  readonly at: number;
  readonly value: number;
  readonly isLogged: boolean;
}

const STARTED_AT = Date.UTC(2026, 10, 18);

function batchOf(arrivals: readonly Arrival[]): JournalColumns {
  return {
    count: arrivals.length,
    times: Float64Array.from(arrivals, ({ at }) => at),
    values: Float64Array.from(arrivals, ({ value }) => value),
    seriesIds: Uint32Array.from(arrivals, ({ seriesId }) => seriesId),
    tags: Uint8Array.from(arrivals, ({ isLogged }) => tagOf('NUMBER', isLogged)),
    strings: [],
  };
}

function readingsIn(columns: Columns | undefined) {
  return [...(columns?.times ?? [])].map((at, index) => ({ at, value: columns?.values[index] }));
}

const batchesOf = (arrivals: fc.Arbitrary<Arrival>) =>
  fc.array(fc.array(arrivals, { maxLength: 20 }), { maxLength: 5 });

const distance = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-(2 ** 31), 2 ** 31));

const arrival: fc.Arbitrary<Arrival> = fc.record({
  seriesId: fc.integer({ min: 1, max: 4 }),
  at: distance.map((each) => STARTED_AT + each),
  value: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.double({ noNaN: true })),
  isLogged: fc.boolean(),
});

it('a memtable has the newest value of each series, of equal times the last, and the history', () => {
  fc.assert(
    fc.property(batchesOf(arrival), distance, distance, (batches, from, to) => {
      const range = { from: STARTED_AT + from, to: STARTED_AT + to };
      const memtable = new Memtable(STARTED_AT, new BlockPool());
      const newest = new Map<number, TimedValue>();
      const history = new Map<number, TimedValue[]>();
      for (const batch of batches) {
        memtable.add(batchOf(batch));
        for (const { seriesId, at, value, isLogged } of batch) {
          if (at >= (newest.get(seriesId)?.at ?? at)) newest.set(seriesId, { at, value });
          if (isLogged) history.set(seriesId, [...(history.get(seriesId) ?? []), { at, value }]);
        }
      }
      for (const seriesId of [1, 2, 3, 4]) {
        expect(memtable.latest(seriesId)).toEqual(newest.get(seriesId));
        const all = history.get(seriesId) ?? [];
        expect(readingsIn(memtable.arrived(seriesId, columnsOf))).toEqual(all);
        expect(readingsIn(memtable.arrivedWithin(seriesId, range))).toEqual(
          all.filter(({ at }) => at >= range.from && at <= range.to),
        );
      }
    }),
    { numRuns: 500 },
  );
});
