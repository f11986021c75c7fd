import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Runs } from './runs.ts';
import { Slots } from './slots.ts';

it('runs give back what came for each slot, in the order in which it came', () => {
  const runs = new Runs();
  const came = new Map<number, number[]>();
  const add = (slot: number, time: number) => {
    runs.append(slot, time, -time);
    came.set(slot, [...(came.get(slot) ?? []), time]);
  };
  // Slot 5 grows past the longest run and past a block; the others are short.
  for (let time = 0; time < 3_000; time += 1) {
    add(5, time);
    if (time % 3 === 0) add(time % 200, time);
  }
  for (let time = 0; time < 70_000; time += 1) runs.append(201, time, -time);
  for (const [slot, times] of came) {
    const read = { times: new Float64Array(times.length), values: new Float64Array(times.length) };
    expect(runs.countOf(slot)).toBe(times.length);
    runs.read(slot, read.times, read.values);
    expect([...read.times]).toEqual(times);
    expect([...read.values]).toEqual(times.map((time) => -time));
  }
  const long = new Float64Array(70_000);
  runs.read(201, long, new Float64Array(70_000));
  expect(long.every((time, index) => time === index)).toBe(true);
  expect(runs.countOf(199)).toBe(came.get(199)?.length ?? 0);
  expect(runs.countOf(900)).toBe(0);
});

it('slots are found by the numbers that they were given to', () => {
  const number = fc.oneof(
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.boolean()), { maxLength: 300 }), (steps) => {
      const slots = new Slots();
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
        expect(slots.numberAt(slot)).toBe(each);
      }
    }),
  );
});
