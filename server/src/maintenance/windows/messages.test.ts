import { describe, expect, it } from 'vitest';
import { turnByEdit, turnByTime } from './messages.ts';

describe('the turn of a maintenance window', () => {
  it.each([
    [null, null, { isEnded: false, isStarted: false }],
    [null, 5, { isEnded: false, isStarted: true }],
    [5, null, { isEnded: true, isStarted: false }],
    [5, 9, { isEnded: true, isStarted: true }],
    [5, 5, { isEnded: false, isStarted: false }],
  ])('by time, from an end at %s to one at %s', (before, after, turn) => {
    expect(turnByTime({ before, after })).toEqual(turn);
  });

  it.each([
    [null, null, { isEnded: false, isStarted: false }],
    [null, 5, { isEnded: false, isStarted: true }],
    [5, null, { isEnded: true, isStarted: false }],
    [5, 9, { isEnded: false, isStarted: false }],
  ])('by an edit, from an end at %s to one at %s', (before, after, turn) => {
    expect(turnByEdit({ before, after })).toEqual(turn);
  });
});
