import { describe, expect, it } from 'vitest';
import { ArrivalSeries, noFaults, type StoredReading, TimedSeries } from './ledger.ts';

function timedFaults(fill: (series: TimedSeries) => void, stored: readonly StoredReading[]) {
  const series = new TimedSeries('v');
  fill(series);
  const faults = noFaults();
  series.check(stored, faults);
  return faults;
}

describe('the ledger of readings with times', () => {
  const write = (series: TimedSeries) => {
    series.sent(10, 1);
    series.acknowledged(10, 1);
  };

  it('finds nothing wrong with what was acknowledged and is there once', () => {
    expect(timedFaults(write, [{ timestamp: 10, value: 1 }])).toEqual(noFaults());
  });

  it('misses an acknowledged reading that is not there', () => {
    expect(timedFaults(write, []).lost).toEqual(['v at 10: 1']);
  });

  it('sees another value, a double and a reading that nobody sent', () => {
    expect(timedFaults(write, [{ timestamp: 10, value: 2 }]).wrong).toHaveLength(1);
    const twice = [
      { timestamp: 10, value: 1 },
      { timestamp: 10, value: 1 },
      { timestamp: 11, value: 1 },
    ];
    expect(timedFaults(write, twice)).toMatchObject({
      doubled: ['v at 10'],
      invented: ['v at 11: 1'],
    });
  });

  it('takes the last acknowledged write of a time, or a later one without an answer', () => {
    const correct = (series: TimedSeries) => {
      write(series);
      series.sent(10, 2);
    };
    expect(timedFaults(correct, [{ timestamp: 10, value: 1 }])).toEqual(noFaults());
    expect(timedFaults(correct, [{ timestamp: 10, value: 2 }])).toEqual(noFaults());
    const acknowledge = (series: TimedSeries) => {
      correct(series);
      series.acknowledged(10, 2);
    };
    expect(timedFaults(acknowledge, [{ timestamp: 10, value: 1 }]).wrong).toHaveLength(1);
  });

  it('lets a reading without an acknowledgement be there or not', () => {
    const send = (series: TimedSeries) => series.sent(10, 1);
    expect(timedFaults(send, [])).toEqual(noFaults());
    expect(timedFaults(send, [{ timestamp: 10, value: 1 }])).toEqual(noFaults());
  });
});

describe('the ledger of readings without times', () => {
  function faultsOf(sends: readonly number[], stored: readonly number[]) {
    const series = new ArrivalSeries('v');
    for (const value of sends) {
      series.sent(value);
      series.acknowledged(value);
    }
    const faults = noFaults();
    series.check(
      stored.map((value, index) => ({ timestamp: 100 + index, value })),
      faults,
    );
    return faults;
  }

  it('finds nothing wrong with each reading once and in order', () => {
    expect(faultsOf([1, 2, 3], [1, 2, 3])).toEqual(noFaults());
  });

  it('sees a lost one, a doubled one, a wrong order and one that nobody sent', () => {
    expect(faultsOf([1, 2], [2]).lost).toHaveLength(1);
    expect(faultsOf([1], [1, 1]).doubled).toHaveLength(1);
    expect(faultsOf([1, 2], [2, 1]).wrong).toHaveLength(1);
    expect(faultsOf([1], [1, 2]).invented).toHaveLength(1);
  });

  it('lets a message that was sent twice be there twice, and not three times', () => {
    expect(faultsOf([1, 2, 1], [1, 2, 1])).toEqual(noFaults());
    expect(faultsOf([1, 2, 1], [1, 2, 1, 1]).doubled).toHaveLength(1);
  });
});
