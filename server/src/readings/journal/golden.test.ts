import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { VariableRef } from '../../variables/index.ts';
import type { Reading } from '../reading.ts';
import { journalBatch } from './journal-batch.ts';
import { decodeJournalRow } from './journal-row.ts';

/*
 * Journal rows as released versions wrote them. Files are added, never changed: the first start
 * after an upgrade replays rows that the version before wrote.
 */
const FOLDER = new URL('golden/', import.meta.url);

const AT = 1_700_000_000_000;
const BATCH: readonly Reading[] = [
  { variable: variable(7, 'NUMBER', true), at: AT, value: -2.5 },
  { variable: variable(8, 'BOOLEAN', false), at: AT + 1, value: true },
  { variable: variable(9, 'STRING', true), at: -1, value: 'ä' },
];
const COLUMNS = {
  count: 3,
  times: [AT, AT + 1, -1],
  values: [-2.5, 1, 0],
  seriesIds: [7, 8, 9],
  tags: [4, 1, 6],
  strings: ['ä'],
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

describe('golden journal rows', () => {
  it('are one file per version', () => {
    expect(readdirSync(FOLDER)).toEqual(['v1.hex']);
    expect(bytesOf('v1.hex').readUInt32LE(0)).toBe(1);
  });

  it('of version 1 decode to the readings that were written', () => {
    const { count, times, values, seriesIds, tags, strings } = decodeJournalRow(
      { writer: 1, id: 1 },
      bytesOf('v1.hex'),
    );
    expect({
      count,
      times: [...times],
      values: [...values],
      seriesIds: [...seriesIds],
      tags: [...tags],
      strings,
    }).toEqual(COLUMNS);
  });

  it('of version 1 are written byte for byte', () => {
    expect(journalBatch(BATCH).finish().toString('hex')).toBe(bytesOf('v1.hex').toString('hex'));
  });
});
