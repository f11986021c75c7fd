import { describe, expect, it } from 'vitest';
import { indexAt } from './value-at.ts';

const seconds = [10, 20, 25, 30, 31, 90, 100];
const column = [1, 2, undefined, 3, null, 4, 5];

describe('indexAt', () => {
  it.each([
    [10, 0],
    [14, 0],
    [16, 1],
    [24, 1],
    [26, 3],
    [94, 5],
    [96, 6],
  ])('at %i is the nearer reading of the line, index %i', (at, index) => {
    expect(indexAt(seconds, column, at, 2)).toBe(index);
  });

  it.each([0, 7, 60, 80, 103, 500])('at %i, far from any reading, is null', (at) => {
    expect(indexAt(seconds, column, at, 2)).toBeNull();
  });

  it.each([
    [8, 0],
    [31.5, 3],
    [88, 5],
    [102, 6],
  ])('at %d is a reading within the tolerance, index %i', (at, index) => {
    expect(indexAt(seconds, column, at, 2)).toBe(index);
  });

  it('is null without readings', () => {
    expect(indexAt([], [], 1, 2)).toBeNull();
  });
});
