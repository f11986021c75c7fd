import { type Columns, columnsOf, type Kind } from '../columns/index.ts';
import { decodeJournalRow, type JournalColumns, seriesRow } from '../journal/index.ts';
import { type Answer, MOVED, type Question, type SeriesReadings } from './question.ts';

export function encodeQuestion({ form, to, series }: Question): Buffer {
  const rows = series.map(({ seriesId, type, deviceId, from }) => [seriesId, type, deviceId, from]);
  return Buffer.from(JSON.stringify([form, to, rows]));
}

type EncodedQuestion = [
  form: Question['form'],
  to: number,
  rows: [seriesId: number, type: Kind, deviceId: string, from: number][],
];

export function decodeQuestion(bytes: Buffer): Question {
  const [form, to, rows] = JSON.parse(bytes.toString()) as EncodedQuestion;
  const series = rows.map(([seriesId, type, deviceId, from]) => ({
    ...{ seriesId, type, deviceId, from },
  }));
  return { form, to, series };
}

/*
 * An answer: the length of its head (32 bits), the head as JSON, and all readings as one journal row.
 * The head has for each series the number of its readings and `nextFrom`, or null when it has moved.
 */
const LENGTH_BYTES = 4;
type EncodedHead = (readonly [count: number, nextFrom: number | null] | null)[];

export function encodeAnswer({ series }: Question, answer: Answer): Buffer {
  let count = 0;
  const head: EncodedHead = answer.map((each) => {
    if (each === MOVED) return null;
    count += each.columns.times.length;
    return [each.columns.times.length, each.nextFrom];
  });
  const readings = answer.flatMap((each, index) => {
    const seriesId = series[index]?.seriesId ?? 0;
    return each === MOVED ? [] : [{ seriesId, columns: each.columns }];
  });
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, seriesRow(count, readings, 'PLAIN')]);
}

export function decodeAnswer({ series }: Question, bytes: Buffer): Answer {
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  const head = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as EncodedHead;
  const row = decodeJournalRow({ writer: 0, id: 0 }, bytes.subarray(end));
  let at = 0;
  return series.map(({ type }, index): SeriesReadings | typeof MOVED => {
    const found = head[index];
    if (!found) return MOVED;
    const [count, nextFrom] = found;
    at += count;
    return { columns: columnsIn(row, type, at - count, at), nextFrom };
  });
}

/** The readings of a row from `start` to `end`, exclusive, which are of one series. */
function columnsIn(row: JournalColumns, kind: Kind, start: number, end: number): Columns {
  const columns = columnsOf(kind, end - start);
  columns.times.set(row.times.subarray(start, end));
  for (let index = start; index < end; index += 1) {
    const value = row.values[index] as number;
    columns.values[index - start] = kind === 'STRING' ? (row.strings[value] as string) : value;
  }
  return columns;
}
