import { expect, it } from 'vitest';
import type { Variable } from '../service/index.ts';
import { chartCsv } from './export.ts';

const line = (name: string, deviceId: string, unit: string | null) => ({
  name,
  variable: { deviceId, unit } as Partial<Variable> as Variable,
});

it('the CSV of a chart names the Device once, the Variable and its unit, within the range', () => {
  const lines = [line('Oil, pressure', 'd', 'bar'), line('Pump · Speed', 'e', null)];
  const data = [
    [0, 1, 2],
    [9, 4, 5],
    [9, 3, 5],
    [9, 5, 5],
    [9, null, 7],
    [9, null, 7],
    [9, null, 7],
  ] as Parameters<typeof chartCsv>[1];
  const devices = new Map([
    ['d', 'Generator 1'],
    ['e', 'Pump'],
  ]);
  expect(chartCsv(lines, data, { startMs: 1_000, endMs: 2_000 }, devices)).toBe(
    [
      'time,"Generator 1 · Oil, pressure (bar)","Generator 1 · Oil, pressure (bar) min","Generator 1 · Oil, pressure (bar) max",Pump · Speed,Pump · Speed min,Pump · Speed max',
      '1970-01-01T00:00:01.000Z,4,3,5,,,',
      '1970-01-01T00:00:02.000Z,5,5,5,7,7,7',
      '',
    ].join('\r\n'),
  );
});
