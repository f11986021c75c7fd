import { expect, it } from 'vitest';
import { AlarmOracle, isSameHistory, type RecordedEvent, type Value } from './oracle.ts';
import type { ClockVerdict } from './timeline.ts';

const BASE = { operator: 'GREATER_THAN', threshold: 50, holdMs: 0, clearDelayMs: 0, deadband: 0 };

function oracleAfter(
  terms: Partial<typeof BASE>,
  readings: readonly (readonly [at: number, value: Value, clock?: ClockVerdict])[],
): AlarmOracle {
  const oracle = new AlarmOracle({ ...BASE, ...terms });
  for (const [at, value, clock = 'waited'] of readings) {
    oracle.reading({
      ...{ stated: at, arrivals: [[at, at]] },
      ...{ value, within: [at, at] },
      clock: () => clock,
    });
  }
  oracle.end();
  return oracle;
}

const event = (raisedAt: number, clearedAt: number | null = null): RecordedEvent => ({
  ...{ id: 'e', raisedAt, raisedValue: 60, clearedAt },
  clearedValue: clearedAt === null ? null : 40,
  clearedReason: clearedAt === null ? null : 'RECOVERED',
});

const accepts = (oracle: AlarmOracle, recorded: readonly RecordedEvent[]) =>
  oracle.histories.some((history) => isSameHistory(history, recorded));

it('an occurrence is one event, and neither a missing nor a second one is accepted', () => {
  const oracle = oracleAfter({}, [
    [10, 60],
    [20, 61],
    [30, 40],
  ]);
  expect(accepts(oracle, [event(10, 30)])).toBe(true);
  expect(accepts(oracle, [])).toBe(false);
  expect(accepts(oracle, [event(10, 30), event(10, 30)])).toBe(false);
  expect(accepts(oracle, [event(10, 31)])).toBe(false);
  expect(accepts(oracle, [event(10)])).toBe(false);
});

it('a hold is broken by a reading that the clock waited for, and not by one that it did not', () => {
  const broken = (clock: ClockVerdict) =>
    oracleAfter({ holdMs: 100 }, [
      [10, 60],
      [50, 40, clock],
    ]);
  expect(accepts(broken('waited'), [])).toBe(true);
  expect(accepts(broken('waited'), [event(110, 110)])).toBe(false);
  expect(accepts(broken('ended'), [event(110, 110)])).toBe(true);
  expect(accepts(broken('ended'), [])).toBe(false);
  expect(accepts(broken('either'), [])).toBe(true);
  expect(accepts(broken('either'), [event(110, 110)])).toBe(true);
});

it('a hold is confirmed by a reading at its end, and raised by the clock when nothing follows', () => {
  const confirmed = oracleAfter({ holdMs: 100 }, [
    [10, 60],
    [110, 61],
    [120, 40],
  ]);
  expect(accepts(confirmed, [event(110, 120)])).toBe(true);
  expect(accepts(oracleAfter({ holdMs: 100 }, [[10, 60]]), [event(110)])).toBe(true);
});

it('an older reading is not judged, and a correction of the newest is', () => {
  const oracle = oracleAfter({}, [
    [10, 60],
    [5, 40],
    [10, 40],
    [10, 60],
  ]);
  expect(accepts(oracle, [event(10, 10), event(10)])).toBe(true);
});

it('an event stays open within the deadband', () => {
  const oracle = oracleAfter({ deadband: 10 }, [
    [10, 60],
    [20, 45],
    [30, 40],
  ]);
  expect(accepts(oracle, [event(10, 30)])).toBe(true);
});

it('an event that is known to lie within a span may come before or after another in it', () => {
  const oracle = new AlarmOracle(BASE);
  const clock = () => 'waited' as const;
  const reading = (stated: number, arrival: readonly [number, number], value: Value) =>
    oracle.reading({ stated, arrivals: [arrival], value, within: arrival, clock });
  reading(1_000, [1_000, 1_010], 60);
  reading(1_020, [1_020, 1_030], 40);
  // The clock was set back by 50: what is stated lies ahead of it, and counts from the arrival.
  reading(1_040, [990, 1_000], 60);
  reading(1_060, [1_010, 1_020], 40);
  const second = { ...event(995), clearedAt: 1_015, clearedValue: 40, clearedReason: 'RECOVERED' };
  const later = { ...second, raisedAt: 1_000 };
  expect(accepts(oracle, [second, event(1_000, 1_020)])).toBe(true);
  expect(accepts(oracle, [event(1_000, 1_020), later])).toBe(true);
  expect(accepts(oracle, [second, second])).toBe(false);
});
