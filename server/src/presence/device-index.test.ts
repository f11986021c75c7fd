import { describe, expect, it } from 'vitest';
import { Column, createPlaces, Waiting } from './device-index.ts';

describe('places', () => {
  it('are given one after the other, and a Device keeps its own', () => {
    const places = createPlaces();
    expect(['a', 'b', 'a', 'c'].map(places.of)).toEqual([0, 1, 0, 2]);
    expect(places.count).toBe(3);
    expect([places.find('b'), places.find('d')]).toEqual([1, undefined]);
    expect([0, 1, 2].map(places.idAt)).toEqual(['a', 'b', 'c']);
  });
});

describe('a column', () => {
  it('holds a number for each place, also far beyond those it had room for', () => {
    const column = new Column();
    for (const place of [0, 1_023, 1_024, 5_000]) {
      expect(column.get(place)).toBe(0);
      column.set(place, place + 0.5);
    }
    expect([0, 1, 1_023, 1_024, 1_025, 5_000, 99_999].map((place) => column.get(place))).toEqual([
      0.5, 0, 1_023.5, 1_024.5, 0, 5_000.5, 0,
    ]);
  });
});

describe('those who wait', () => {
  it('are taken once each, who waits longest first, and may wait again', () => {
    const waiting = new Waiting();
    for (const place of [3, 1, 3, 2_000, 1]) waiting.add(place);
    expect(waiting.take(2)).toEqual([3, 1]);
    waiting.add(3);
    waiting.add(2_000);
    expect(waiting.take()).toEqual([2_000, 3]);
    expect(waiting.take()).toEqual([]);
  });
});
