import { describe, expect, it } from 'vitest';
import { createLocaleFormats } from '../runtime/index.ts';
import { AXIS_PX, axesOf, insetsOf, RIGHT_PX, unitsOf, valueLabels } from './axes.ts';

describe('state strips below a chart', () => {
  it.each([
    [[], 0, 0],
    [[{ unit: 'bar' }], AXIS_PX, RIGHT_PX],
    [[{ unit: 'bar' }, { unit: 'bar' }], AXIS_PX, RIGHT_PX],
    [[{ unit: 'bar' }, { unit: null }], AXIS_PX, RIGHT_PX + AXIS_PX],
    [[{ unit: 'bar' }, { unit: 'kW' }, { unit: 'rpm' }], AXIS_PX, RIGHT_PX + 2 * AXIS_PX],
  ])('are inset as the time axis of %j is, by %i and %i pixels', (lines, leftPx, rightPx) => {
    expect(insetsOf(lines)).toEqual({ leftPx, rightPx });
    const sizes = axesOf(unitsOf(lines), false).slice(1);
    const wide = (side: number) =>
      sizes.filter((axis) => axis.side === side).reduce((sum, { size }) => sum + Number(size), 0);
    expect([wide(3), lines.length > 0 ? wide(1) + RIGHT_PX : 0]).toEqual([leftPx, rightPx]);
  });
});

describe('the labels of a value axis', () => {
  const labels = (...splits: (number | null)[]) =>
    valueLabels(splits, createLocaleFormats('en-US'));

  it('are written out where they fit', () => {
    expect(labels(0, 0.25, null, 100_000)).toEqual(['0', '0.25', '', '100,000']);
  });

  it('are exponential where one of them does not fit', () => {
    expect(labels(-5e20, 0, 5e20, 1e21)).toEqual(['-5e20', '0', '5e20', '1e21']);
    expect(labels(500_000, 1_000_000)).toEqual(['5e5', '1e6']);
    expect(labels(2.5e307, null, 7.5e307)).toEqual(['2.5e307', '', '7.5e307']);
  });

  it('are written out where they would no longer differ', () => {
    expect(labels(1_000_000_001, 1_000_000_002)).toEqual(['1,000,000,001', '1,000,000,002']);
  });
});
