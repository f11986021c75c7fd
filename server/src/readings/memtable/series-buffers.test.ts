import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALL_TIMES } from '../reading.ts';
import { BlockPool } from './block-pool.ts';
import { RunArena } from './run-arena.ts';
import { SeriesIndex } from './series-index.ts';

it('the run arena returns the readings of each slot in order of arrival', () => {
  const runs = new RunArena(new BlockPool(), 0);
  const arrived = new Map<number, number[]>();
  const add = (slot: number, time: number) => {
    runs.append(slot, time, -time);
    arrived.set(slot, [...(arrived.get(slot) ?? []), time]);
  };
  // Slot 5 grows past the longest run and past a block; the others are short.
  for (let time = 0; time < 3_000; time += 1) {
    add(5, time);
    if (time % 3 === 0) add(time % 200, time);
  }
  for (let time = 0; time < 70_000; time += 1) runs.append(201, time, -time);
  for (const [slot, times] of arrived) {
    const read = { times: new Float64Array(times.length), values: new Float64Array(times.length) };
    expect(runs.countOf(slot)).toBe(times.length);
    runs.read(slot, ALL_TIMES, read.times, read.values);
    expect([...read.times]).toEqual(times);
    expect([...read.values]).toEqual(times.map((time) => -time));
  }
  const long = new Float64Array(70_000);
  runs.read(201, ALL_TIMES, long, new Float64Array(70_000));
  expect(long.every((time, index) => time === index)).toBe(true);
  expect(runs.countOf(199)).toBe(arrived.get(199)?.length ?? 0);
  expect(runs.countOf(900)).toBe(0);
});

it('the run arena returns times that are any distance from its own', () => {
  const epoch = Date.UTC(2026, 10, 18);
  const edges = [-(2 ** 31), -(2 ** 30), 0, 2 ** 30, 2 ** 31, -epoch, 2 ** 45 - epoch];
  const near = fc
    .tuple(fc.constantFrom(...edges), fc.integer({ min: -2, max: 2 }))
    .map(([edge, beside]) => epoch + edge + beside);
  const time = fc.oneof(near, fc.integer({ min: -(2 ** 45), max: 2 ** 45 }));
  fc.assert(
    fc.property(fc.array(time, { maxLength: 300 }), (times) => {
      const runs = new RunArena(new BlockPool(), epoch);
      for (const [index, each] of times.entries()) runs.append(0, each, index);
      const read = {
        times: new Float64Array(times.length),
        values: new Float64Array(times.length),
      };
      runs.read(0, ALL_TIMES, read.times, read.values);
      expect([...read.times]).toEqual(times);
      expect([...read.values]).toEqual([...times.keys()]);
    }),
  );
});

it('a reused block shows no reading of its former owner', () => {
  const blockPool = new BlockPool();
  const fill = (value: number) => {
    const runs = new RunArena(blockPool, 0);
    for (let time = 0; time < 150_000; time += 1) runs.append(time % 3, time, value);
    return runs;
  };
  fill(1).release();
  const [one, other] = [fill(2), fill(3)];
  for (const [runs, value] of [[one, 2] as const, [other, 3] as const]) {
    const values = new Float64Array(runs.countOf(1));
    runs.read(1, ALL_TIMES, new Float64Array(values.length), values);
    expect(values).toHaveLength(50_000);
    expect(values.every((each) => each === value)).toBe(true);
  }
});

it('the series index finds the slot of each series id until it is removed', () => {
  const seriesId = fc.oneof(
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(seriesId, fc.boolean()), { maxLength: 300 }), (steps) => {
      const slots = new SeriesIndex();
      const known = new Map<number, number>();
      for (const [each, isRemoved] of steps) {
        if (isRemoved) {
          slots.remove(each);
          known.delete(each);
        } else if (slots.find(each) < 0) known.set(each, slots.add(each));
        expect(slots.find(each)).toBe(known.get(each) ?? -1);
      }
      for (const [each, slot] of known) {
        expect(slots.find(each)).toBe(slot);
        expect(slots.seriesIdAt(slot)).toBe(each);
      }
    }),
  );
});
