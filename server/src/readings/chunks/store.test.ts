import { beforeEach, describe, expect, it } from 'vitest';
import { openHistory, storeVariable } from '../../../test/support/readings.ts';
import type { Storage } from '../../storage/index.ts';
import type { Columns } from '../columns/columns.ts';
import type { PieceList } from './chunk-meta-list.ts';
import { chunkRows, type Piece } from './chunk-row.ts';
import { ALL_BYTES, insertChunks, listPiecesOf, readChunks } from './store.ts';

const HOUR = 3_600_000;
const FROM = 1_700_000_000_000;
const CHUNKS = 6;
const DAY = { from: FROM, to: FROM + 24 * HOUR - 1 };

/** Readings every quarter of an hour, four in a chunk, so that each chunk is 45 minutes long. */
function numbers(count: number, valueAt = (index: number) => index): Columns {
  return {
    kind: 'NUMBER',
    times: Float64Array.from({ length: count }, (_, index) => FROM + (index * HOUR) / 4),
    values: Float64Array.from({ length: count }, (_, index) => valueAt(index)),
  };
}

async function store(storage: Storage, seriesId: number, columns: Columns, most: number) {
  const rows = [...chunkRows(seriesId, columns, most)];
  await storage.transaction((tx) => insertChunks(tx, 1, rows));
  return rows;
}

function piecesOf(list: PieceList | undefined): Piece[] {
  return Array.from({ length: list?.length ?? 0 }, (_, index) => list?.pieceAt(index) as Piece);
}

describe('a list of chunks', () => {
  let storage: Storage;
  let seriesId: number;
  beforeEach(async () => {
    storage = await openHistory();
    ({ seriesId } = await storeVariable(storage, 'NUMBER'));
  });

  const withBytes = async (partMs: number, most: number, range = DAY) => {
    const pieces = (await listPiecesOf(storage, [seriesId], range, { partMs, most })).get(seriesId);
    return piecesOf(pieces).flatMap(({ data }, index) => (data ? [index] : []));
  };

  it('comes without bytes unless they are wished for', async () => {
    const rows = await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    const list = (await listPiecesOf(storage, [seriesId], DAY)).get(seriesId);
    expect(
      piecesOf(list).map(({ firstAt, count, sum, data }) => [firstAt, count, sum, data]),
    ).toEqual(rows.map(({ firstAt, count, summary }) => [firstAt, count, summary?.sum, undefined]));
  });

  it('comes with the bytes of those across a border, and of no others', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    expect(await withBytes(HOUR, CHUNKS)).toEqual([]);
    // The last reading of each is 45 minutes into its hour.
    expect(await withBytes(HOUR * 0.75, CHUNKS)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(HOUR * 0.75 + 1, CHUNKS)).toEqual([1, 2, 3, 4, 5]);
    expect(await withBytes(2.5 * HOUR, CHUNKS)).toEqual([2]);
  });

  it('comes with the bytes of those across the ends of the range', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    const range = { from: FROM + HOUR + 1, to: FROM + 4.5 * HOUR };
    expect(await withBytes(24 * HOUR, CHUNKS, range)).toEqual([0, 3]);
    const whole = { from: FROM + HOUR, to: FROM + 4.75 * HOUR };
    expect(await withBytes(24 * HOUR, CHUNKS, whole)).toEqual([]);
  });

  it('comes with the bytes of the earliest ones, at most so many', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    expect(await withBytes(ALL_BYTES, CHUNKS + 1)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(ALL_BYTES, CHUNKS)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(ALL_BYTES, CHUNKS - 1)).toEqual([0, 1, 2, 3, 4]);
    expect(await withBytes(1.75 * HOUR, 1)).toEqual([1]);
    expect(await withBytes(ALL_BYTES, 0)).toEqual([]);
  });

  it('comes with the bytes of one chunk that ends behind the range, however many do', async () => {
    await store(storage, seriesId, numbers(4), 4);
    for (const hours of [30, 40, 50]) {
      const times = Float64Array.of(FROM + HOUR, FROM + hours * HOUR);
      await store(storage, seriesId, { ...numbers(2), times }, 4);
    }
    expect(await withBytes(ALL_BYTES, CHUNKS)).toEqual([0, 1]);
    expect(await withBytes(ALL_BYTES, 1)).toEqual([0, 1]);
    expect(await withBytes(ALL_BYTES, 0)).toEqual([]);
  });

  it('has the same bytes as are read one by one, however many there are', async () => {
    // Noise does not get shorter, so that the list takes several parts on its way.
    const noise = (index: number) => Math.fround(Math.sin(index) * 1e6) / 3;
    const rows = await store(storage, seriesId, numbers(40_000, noise), 512);
    const week = { from: FROM, to: FROM + 40_000 * HOUR };
    const list = await listPiecesOf(storage, [seriesId], week, { partMs: ALL_BYTES, most: 1_000 });
    const pieces = piecesOf(list.get(seriesId));
    const read = await readChunks(
      storage,
      pieces.map(() => seriesId),
      pieces,
    );
    expect(rows.reduce((sum, { data }) => sum + data.length, 0)).toBeGreaterThan(200_000);
    expect(pieces.map(({ data }) => data?.toString('hex'))).toEqual(
      rows.map(({ data }) => data.toString('hex')),
    );
    expect(read.map((bytes) => bytes?.toString('hex'))).toEqual(
      rows.map(({ data }) => data.toString('hex')),
    );
  });

  it('never comes with the bytes of texts, which may be long', async () => {
    const text = await storeVariable(storage, 'STRING');
    const times = Float64Array.of(FROM, FROM + 2 * HOUR);
    await store(storage, text.seriesId, { kind: 'STRING', times, values: ['a', 'b'] }, 4);
    const list = await listPiecesOf(storage, [seriesId, text.seriesId], DAY, {
      partMs: ALL_BYTES,
      most: 1,
    });
    expect(list.get(seriesId)?.length).toBe(0);
    expect(piecesOf(list.get(text.seriesId)).map(({ count, data }) => [count, data])).toEqual([
      [2, undefined],
    ]);
  });

  it('is in the order of beginnings, whatever the order of ends', async () => {
    const long = { ...numbers(2), times: Float64Array.of(FROM - 1, FROM + 100 * HOUR) };
    await store(storage, seriesId, numbers(8), 4);
    await store(storage, seriesId, long, 4);
    const list = await listPiecesOf(storage, [seriesId], DAY, { partMs: ALL_BYTES, most: 2 });
    const pieces = piecesOf(list.get(seriesId));
    expect(pieces.map(({ firstAt }) => firstAt)).toEqual([FROM - 1, FROM, FROM + HOUR]);
    expect(pieces.map(({ data }) => data !== undefined)).toEqual([true, true, true]);
  });
});
