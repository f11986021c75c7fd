import fc from 'fast-check';
import { expect, it } from 'vitest';
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

function columnsOf(arrivals: readonly Arrival[]): JournalColumns {
  return {
    count: arrivals.length,
    times: Float64Array.from(arrivals, ({ at }) => at),
    values: Float64Array.from(arrivals, ({ value }) => value),
    seriesIds: Uint32Array.from(arrivals, ({ seriesId }) => seriesId),
    tags: Uint8Array.from(arrivals, ({ isLogged }) => tagOf('NUMBER', isLogged)),
    strings: [],
  };
}

const arrival: fc.Arbitrary<Arrival> = fc.record({
  seriesId: fc.integer({ min: 1, max: 4 }),
  at: fc
    .oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-(2 ** 31), 2 ** 31))
    .map((distance) => STARTED_AT + distance),
  value: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.double({ noNaN: true })),
  isLogged: fc.boolean(),
});

it('a memtable has the newest value of each series, of equal times the last, and the history', () => {
  fc.assert(
    fc.property(fc.array(fc.array(arrival, { maxLength: 20 }), { maxLength: 5 }), (batches) => {
      const memtable = new Memtable(STARTED_AT, new BlockPool());
      const newest = new Map<number, TimedValue>();
      const history = new Map<number, TimedValue[]>();
      for (const batch of batches) {
        memtable.add(columnsOf(batch));
        for (const { seriesId, at, value, isLogged } of batch) {
          if (at >= (newest.get(seriesId)?.at ?? at)) newest.set(seriesId, { at, value });
          if (isLogged) history.set(seriesId, [...(history.get(seriesId) ?? []), { at, value }]);
        }
      }
      for (const seriesId of [1, 2, 3, 4]) {
        expect(memtable.latest(seriesId)).toEqual(newest.get(seriesId));
        const arrived = memtable.arrived(seriesId);
        const read = [...(arrived?.times ?? [])].map((at, index) => {
          return { at, value: arrived?.values[index] };
        });
        expect(read).toEqual(history.get(seriesId) ?? []);
      }
    }),
    { numRuns: 500 },
  );
});
