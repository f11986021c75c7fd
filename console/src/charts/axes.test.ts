import { describe, expect, it } from 'vitest';
import { AXIS_PX, axesOf, insetsOf, RIGHT_PX, unitsOf } from './axes.ts';

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
