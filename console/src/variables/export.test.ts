import { describe, expect, it } from 'vitest';
import { exportFileName, exportHead } from './export.ts';

const source = { device: 'Generator 1', variable: 'Oil pressure', unit: 'bar' };
const range = {
  startMs: Date.parse('2026-11-15T08:30:00Z'),
  endMs: Date.parse('2026-11-16T08:30:59Z'),
};

describe('an export of readings', () => {
  it('names Device, Variable and range in its file name', () => {
    expect(exportFileName(source, range)).toBe(
      'Generator 1 Oil pressure 2026-11-15T0830Z to 2026-11-16T0830Z.csv',
    );
  });

  it('has no character in its file name that a file system refuses', () => {
    expect(exportFileName({ ...source, device: 'A/B: "C"' }, range)).toMatch(/^A-B- -C- Oil/);
  });

  it('names Device, Variable and unit in its head', () => {
    expect(exportHead(source)).toBe('time,timestamp,Generator 1: Oil pressure (bar)\r\n');
    expect(exportHead({ ...source, unit: null, variable: 'a,b' })).toBe(
      'time,timestamp,"Generator 1: a,b"\r\n',
    );
  });
});
