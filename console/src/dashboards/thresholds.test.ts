import { expect, it } from 'vitest';
import { bandsOf, severityOf } from './thresholds.ts';

const fuel = [
  { operator: 'LESS_THAN', value: 60, severity: 'LOW' },
  { operator: 'LESS_THAN', value: 20, severity: 'CRITICAL' },
] as const;

it.each([
  [60, null],
  [59.9, 'LOW'],
  [20, 'LOW'],
  [19.9, 'CRITICAL'],
])('a value of %d has the worst severity whose condition holds: %s', (value, severity) => {
  expect(severityOf(value, fuel)).toBe(severity);
});

it('a scale is divided where severities change, and limits outside it change nothing', () => {
  expect(
    bandsOf([...fuel, { operator: 'GREATER_THAN', value: 200, severity: 'HIGH' }], 0, 100),
  ).toEqual([
    { from: 0, to: 0.2, severity: 'CRITICAL' },
    { from: 0.2, to: 0.6, severity: 'LOW' },
  ]);
  expect(bandsOf(fuel, 100, 0)).toEqual([]);
});
