import { describe, expect, it } from 'vitest';
import { createDeviceIndex, DeviceColumn, DeviceQueue } from './device-index.ts';

describe('the device index', () => {
  it('assigns consecutive numbers, and a Device keeps its number', () => {
    const deviceIndex = createDeviceIndex();
    expect(['a', 'b', 'a', 'c'].map(deviceIndex.indexOf)).toEqual([0, 1, 0, 2]);
    expect(deviceIndex.size).toBe(3);
    expect([deviceIndex.find('b'), deviceIndex.find('d')]).toEqual([1, undefined]);
    expect([0, 1, 2].map(deviceIndex.idAt)).toEqual(['a', 'b', 'c']);
  });
});

describe('a device column', () => {
  it('holds a number for each index, also far beyond its initial capacity', () => {
    const column = new DeviceColumn();
    for (const index of [0, 1_023, 1_024, 5_000]) {
      expect(column.get(index)).toBe(0);
      column.set(index, index + 0.5);
    }
    expect([0, 1, 1_023, 1_024, 1_025, 5_000, 99_999].map((index) => column.get(index))).toEqual([
      0.5, 0, 1_023.5, 1_024.5, 0, 5_000.5, 0,
    ]);
  });
});

describe('a device queue', () => {
  it('returns each Device once, in the order of arrival, and takes it again afterwards', () => {
    const queue = new DeviceQueue();
    for (const index of [3, 1, 3, 2_000, 1]) queue.add(index);
    expect(queue.take(2)).toEqual([3, 1]);
    queue.add(3);
    queue.add(2_000);
    expect(queue.take()).toEqual([2_000, 3]);
    expect(queue.take()).toEqual([]);
  });
});
