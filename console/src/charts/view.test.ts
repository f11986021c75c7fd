import { describe, expect, it } from 'vitest';
import { isHidden, isolatedSeries, parseChart, toggledSeries } from './view.ts';

const [a, b, c] = ['0000-aaaaaa', '0000-bbbbbb', '0000-cccccc'] as const;

describe('the view of a chart in a URL', () => {
  it('has only what differs from the usual', () => {
    expect(parseChart({})).toEqual({});
    const full = {
      from: 1,
      to: 2,
      compare: 'week',
      log: true,
      zero: true,
      min: 0,
      max: 5,
      hide: ['aaaaaa'],
      off: ['note'],
    };
    expect(parseChart(full)).toEqual(full);
  });

  it('ignores what it does not know', () => {
    const raw = { compare: 'decade', log: 'yes', zero: 1, min: 'a', hide: 'x', off: ['x'] };
    expect(parseChart(raw)).toEqual({});
  });
});

describe('a series of a chart', () => {
  it('is hidden and shown again', () => {
    const hidden = toggledSeries({}, a);
    expect([isHidden(hidden, a), isHidden(hidden, b)]).toEqual([true, false]);
    expect(toggledSeries(hidden, a)).toEqual({});
  });

  it('is shown alone, and with all others again', () => {
    const alone = isolatedSeries({}, b, [a, b, c]);
    expect([a, b, c].map((id) => isHidden(alone, id))).toEqual([true, false, true]);
    expect(isolatedSeries(alone, b, [a, b, c])).toEqual({});
    expect(isolatedSeries(alone, a, [a, b, c]).hide).toEqual(['bbbbbb', 'cccccc']);
  });
});
