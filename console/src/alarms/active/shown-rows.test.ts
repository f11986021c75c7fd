import { describe, expect, it } from 'vitest';
import type { AlarmEvent } from '../../service/index.ts';
import { FADE_MS, type ListUpdate, NO_ROWS, type ShownRows, updateRows } from './shown-rows.ts';

/** Arranged by id. */
const event = (id: string, acknowledgedDateTime: string | null = null) =>
  ({ id, acknowledgedDateTime }) as AlarmEvent;

const [a, b, c] = [event('a'), event('b'), event('c')];
const arrange = (events: readonly AlarmEvent[]) =>
  events.toSorted((one, other) => one.id.localeCompare(other.id));

function update(
  shown: ShownRows,
  matching: readonly AlarmEvent[],
  given: Partial<ListUpdate> = {},
): ShownRows {
  const active = new Map(matching.map((each) => [each.id, each]));
  return updateRows(shown, { matching, active, arrange, isHeld: false, nowMs: 0, ...given });
}

const ids = ({ rows }: ShownRows) => rows.map(({ event: { id } }) => id).join('');

describe('the list of active alarms', () => {
  it('shows new alarms in their order when nobody works in it', () => {
    const shown = update(NO_ROWS, [b]);
    expect(ids(update(shown, [c, b, a]))).toBe('abc');
  });

  it('keeps the place of every row while it is held, and counts the new alarms', () => {
    const shown = update(NO_ROWS, [b, c]);
    const held = update(shown, [a, b, c], { isHeld: true });
    expect([ids(held), held.waitingCount]).toEqual(['bc', 1]);
    const released = update(held, [a, b, c]);
    expect([ids(released), released.waitingCount]).toEqual(['abc', 0]);
  });

  it('keeps a cleared alarm in its place for a while, and as long as it is held', () => {
    const shown = update(NO_ROWS, [a, b]);
    const cleared = update(shown, [b], { nowMs: 1_000 });
    expect(cleared.rows.map(({ goneSinceMs }) => goneSinceMs)).toEqual([1_000, null]);
    const nowMs = 1_000 + FADE_MS;
    expect(ids(update(cleared, [b], { nowMs: nowMs - 1 }))).toBe('ab');
    expect(ids(update(cleared, [b], { nowMs, isHeld: true }))).toBe('ab');
    expect(ids(update(cleared, [b], { nowMs }))).toBe('b');
  });

  it('shows a changed alarm as it is now, also when it no longer matches the filters', () => {
    const shown = update(NO_ROWS, [a, b]);
    const acknowledged = event('a', '2026-11-15T08:30:00.000Z');
    const active = new Map([
      ['a', acknowledged],
      ['b', b],
    ]);
    const filtered = update(shown, [b], { active, isHeld: true, nowMs: 5 });
    expect(filtered.rows[0]).toEqual({ event: acknowledged, goneSinceMs: 5 });
    const again = update(filtered, [acknowledged, b], { active });
    expect(again.rows[0]).toEqual({ event: acknowledged, goneSinceMs: null });
  });

  it('shows the first alarms at once, also while it is held', () => {
    expect(ids(update(NO_ROWS, [a], { isHeld: true }))).toBe('a');
  });

  it('is the same object when nothing changes', () => {
    const shown = update(NO_ROWS, [a, b]);
    expect(update(shown, [a, b], { nowMs: 99 })).toBe(shown);
    expect(update(shown, [a, b], { isHeld: true })).toBe(shown);
  });
});
