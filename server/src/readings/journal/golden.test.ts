import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { VariableRef } from '../../variables/index.ts';
import type { Reading } from '../reading.ts';
import { journalBatch } from './journal-batch.ts';
import { decodeJournalRow, type RowForm } from './journal-row.ts';

/*
 * Journal rows as released versions wrote them. Files are added, never changed: the first start
 * after an upgrade replays rows that the version before wrote.
 */
const FOLDER = new URL('golden/', import.meta.url);

const AT = 1_700_000_000_000;
const MIXED = {
  batch: [
    { variable: variable(7, 'NUMBER', true), at: AT, value: -2.5 },
    { variable: variable(8, 'BOOLEAN', false), at: AT + 1, value: true },
    { variable: variable(9, 'STRING', true), at: -1, value: 'ä' },
  ],
  columns: {
    count: 3,
    times: [AT, AT + 1, -1],
    values: [-2.5, 1, 0],
    seriesIds: [7, 8, 9],
    tags: [4, 1, 6],
    strings: ['ä'],
  },
};
/** Times by differences, integers and doubles. */
const METERS = {
  batch: [5, -300, 2 ** 30, 0.0001].map((value, index) => ({
    variable: variable(7 + (index % 2), 'NUMBER', true),
    at: AT + 100 * index,
    value,
  })),
  columns: {
    count: 4,
    times: [AT, AT + 100, AT + 200, AT + 300],
    values: [5, -300, 2 ** 30, 0.0001],
    seriesIds: [7, 8, 7, 8],
    tags: [4, 4, 4, 4],
    strings: [],
  },
};
const COUNTERS = {
  batch: METERS.batch.slice(0, 2),
  columns: {
    count: 2,
    times: [AT, AT + 100],
    values: [5, -300],
    seriesIds: [7, 8],
    tags: [4, 4],
    strings: [],
  },
};

function variable(
  seriesId: number,
  type: VariableRef['type'],
  isLoggingEnabled: boolean,
): VariableRef {
  return { seriesId, id: '', organizationId: '', deviceId: '', type, isLoggingEnabled, path: '' };
}

function bytesOf(file: string): Buffer {
  return Buffer.from(readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('\n', ''), 'hex');
}

interface Golden {
  readonly file: string;
  readonly version: number;
  readonly form: RowForm;
  readonly readings: { readonly batch: readonly Reading[]; readonly columns: object };
}

const FILES: readonly Golden[] = [
  { file: 'v1.hex', version: 1, form: 'PLAIN', readings: MIXED },
  { file: 'v2-counters.hex', version: 2, form: 'PACKED', readings: COUNTERS },
  { file: 'v2-meters.hex', version: 2, form: 'PACKED', readings: METERS },
  { file: 'v2-mixed.hex', version: 2, form: 'PACKED', readings: MIXED },
];

describe('golden journal rows', () => {
  it('are of every version', () => {
    expect(readdirSync(FOLDER)).toEqual(FILES.map(({ file }) => file));
  });

  it.each(FILES)('decode to the readings that were written: $file', (golden) => {
    const bytes = bytesOf(golden.file);
    expect(bytes.readUInt32LE(0)).toBe(golden.version);
    const found = decodeJournalRow({ writer: 1, id: 1 }, bytes);
    const { count, times, values, seriesIds, tags, strings } = found;
    expect({
      count,
      times: [...times],
      values: [...values],
      seriesIds: [...seriesIds],
      tags: [...tags],
      strings,
    }).toEqual(golden.readings.columns);
  });

  it.each(FILES)('are written byte for byte: $file', ({ file, form, readings }) => {
    const written = journalBatch(readings.batch).finish(form).toString('hex');
    expect(written).toBe(bytesOf(file).toString('hex'));
  });
});
