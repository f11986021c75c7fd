import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Readings, Value } from '../../src/readings/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import {
  ALL,
  kill,
  openHistory,
  pageOf,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';
import { cases } from '../support/soak.ts';

type Step =
  | { readonly kind: 'commit'; readonly batch: readonly Sample[] }
  | { readonly kind: 'flush' | 'crash' | 'compact' };

interface Sample {
  readonly variable: number;
  readonly at: number;
  readonly seed: number;
}

const START = 1_700_000_000_000;
const sample: fc.Arbitrary<Sample> = fc.record({
  variable: fc.integer({ min: 0, max: 3 }),
  // Few times, so that many are met twice; some far from the others.
  at: fc.oneof(
    fc.integer({ min: 0, max: 30 }).map((step) => START + step * 1000),
    fc.integer({ min: -40, max: 40 }).map((step) => START + step * 86_400_000),
  ),
  seed: fc.integer({ min: -20, max: 20 }),
});
const commit = fc.array(sample, { maxLength: 60, size: 'max' }).map(toCommit);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: commit },
  { weight: 4, arbitrary: fc.constant('flush' as const).map(toStep) },
  { weight: 1, arbitrary: fc.constantFrom('crash' as const, 'compact' as const).map(toStep) },
);

function toCommit(batch: Sample[]): Step {
  return { kind: 'commit', batch };
}

function toStep(kind: 'flush' | 'crash' | 'compact'): Step {
  return { kind };
}

function valueFor({ type }: VariableRef, seed: number): Value {
  if (type === 'NUMBER') return seed / 8;
  return type === 'BOOLEAN' ? seed > 0 : `state ${seed}`;
}

const byTime = ([a]: [number, Value], [b]: [number, Value]) => a - b;

it('history and latest values equal a model after any commits, flushes, compactions and restarts', async () => {
  const storage = await openHistory();
  const run = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
    const variables = [
      await storeVariable(storage, 'NUMBER'),
      await storeVariable(storage, 'BOOLEAN'),
      await storeVariable(storage, 'STRING'),
      await storeVariable(storage, 'NUMBER', false),
    ];
    const oracle = variables.map(() => new Map<number, Value>());
    const limits = { readingsPerChunk: 7, minChunkReadings: 3 };
    let readings = readingsOn(storage, limits);
    await readings.start();
    for (const each of steps) {
      if (each.kind === 'commit') {
        const batch = each.batch.map(({ variable, at, seed }) => {
          const ref = variables[variable] as VariableRef;
          return reading(ref, at, valueFor(ref, seed));
        });
        await readings.commit(batch);
        for (const { variable, at, value } of batch) {
          oracle[variables.indexOf(variable)]?.set(at, value);
        }
      } else if (each.kind === 'compact') {
        // Queried before, so that what the cache has of replaced chunks would be noticed afterwards.
        await expectAll(readings, variables, oracle);
        await readings.compact(1_000);
        await expectAll(readings, variables, oracle);
      } else {
        if (each.kind === 'flush') await readings.stop();
        else await kill(readings);
        readings = readingsOn(storage, limits);
        await readings.start();
      }
    }
    await expectAll(readings, variables, oracle);
    await expectAll(readings, variables, oracle);
    await readings.stop();
    const compacted = readingsOn(storage, limits);
    await compacted.start();
    await compacted.compact(1_000);
    await expectAll(compacted, variables, oracle);
    await storage.query('delete from variables');
    await storage.query('delete from journal');
  });
  await fc.assert(run, { numRuns: cases(150) });
}, 120_000);

async function expectAll(
  readings: Readings,
  variables: readonly VariableRef[],
  oracle: readonly ReadonlyMap<number, Value>[],
): Promise<void> {
  const { values: latest } = await readings.latest(variables);
  for (const [index, ref] of variables.entries()) {
    const expected = [...(oracle[index] ?? [])].sort(byTime);
    const newest = expected.at(-1);
    expect(latest[index]).toEqual(newest ? { at: newest[0], value: newest[1] } : null);
    const kept = ref.isLoggingEnabled ? expected : [];
    const all = await pageOf(readings, ref, ALL, 100_000);
    expect(all.items.map(({ timestamp, value }) => [timestamp, value])).toEqual(kept);
    expect(all.count).toBe(kept.length);
    expect(all.nextStartTime).toBeNull();
    await expectSame(readings, ref, kept);
  }
}

/** Pages, buckets and segments of one Variable, beside what they should be. */
async function expectSame(
  readings: Readings,
  ref: VariableRef,
  kept: readonly [number, Value][],
): Promise<void> {
  const range = { from: START - 5 * 86_400_000, to: START + 30_500 };
  const inRange = kept.filter(([at]) => at >= range.from && at <= range.to);
  const page = await pageOf(readings, ref, range, 3);
  expect(page.items.map(({ timestamp, value }) => [timestamp, value])).toEqual(inRange.slice(0, 3));
  expect(page.count).toBe(inRange.length);
  expect(page.nextStartTime).toBe(inRange[3]?.[0] ?? null);
  const history = await readings.openHistory([ref], range);
  if (ref.type === 'NUMBER') {
    const buckets = await history.buckets(range, 20);
    expect(buckets).toEqual([bucketsOf(inRange, range)]);
  } else {
    const segments = await history.segments(range, 1000);
    expect(segments).toEqual([segmentsOf(inRange)]);
  }
}

function bucketsOf(kept: readonly [number, Value][], { from, to }: { from: number; to: number }) {
  const bucketMs = Math.ceil((to - from) / 20);
  const groups = new Map<number, [number, Value][]>();
  for (const each of kept) {
    const index = Math.min(19, Math.floor((each[0] - from) / bucketMs));
    groups.set(index, [...(groups.get(index) ?? []), each]);
  }
  return [...groups].map(([index, group]) => {
    const values = group.map(([, value]) => Number(value));
    return {
      timestamp: from + index * bucketMs,
      count: values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      // Exact: the values are multiples of an eighth.
      mean: values.reduce((a, b) => a + b) / values.length,
      first: values[0],
      last: values.at(-1),
    };
  });
}

function segmentsOf(kept: readonly [number, Value][]) {
  const segments: { startTime: number; endTime: number; value: Value }[] = [];
  for (const [at, value] of kept) {
    const open = segments.at(-1);
    if (open) open.endTime = at;
    if (open?.value !== value) segments.push({ startTime: at, endTime: at, value });
  }
  return segments;
}
