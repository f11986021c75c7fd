import { beforeEach, describe, expect, it } from 'vitest';
import { openHistory, storeVariable } from '../../../test/support/readings.ts';
import type { Storage } from '../../storage/index.ts';
import type { Columns, NumberColumns } from '../columns/columns.ts';
import type { ChunkMetaList } from './chunk-meta-list.ts';
import { type ChunkMeta, chunkRows } from './chunk-row.ts';
import { EVERY_CHUNK, insertChunks, listChunkMetas, readChunks } from './store.ts';

const HOUR = 3_600_000;
const FROM = 1_700_000_000_000;
const CHUNKS = 6;
const DAY = { from: FROM, to: FROM + 24 * HOUR - 1 };

/** Readings every quarter of an hour, four in a chunk, so that each chunk is 45 minutes long. */
function numbers(count: number, valueAt = (index: number) => index): NumberColumns {
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

function metasOf(list: ChunkMetaList | undefined): ChunkMeta[] {
  return Array.from({ length: list?.length ?? 0 }, (_, index) => list?.metaAt(index) as ChunkMeta);
}

describe('listing chunk metas', () => {
  let storage: Storage;
  let seriesId: number;
  beforeEach(async () => {
    storage = await openHistory();
    ({ seriesId } = await storeVariable(storage, 'NUMBER'));
  });

  const withBytes = async (bucketMs: number, most: number, range = DAY) => {
    const metas = (
      await listChunkMetas(storage, [seriesId], range, { bucketMs, maxChunks: most })
    ).get(seriesId);
    return metasOf(metas).flatMap(({ data }, index) => (data ? [index] : []));
  };

  it('prefetches no bytes without a hint', async () => {
    const rows = await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    const list = (await listChunkMetas(storage, [seriesId], DAY)).get(seriesId);
    expect(
      metasOf(list).map(({ firstAt, count, sum, data }) => [firstAt, count, sum, data]),
    ).toEqual(rows.map(({ firstAt, count, summary }) => [firstAt, count, summary?.sum, undefined]));
  });

  it('prefetches only chunks that cross a bucket border', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    expect(await withBytes(HOUR, CHUNKS)).toEqual([]);
    // The last reading of each is 45 minutes into its hour.
    expect(await withBytes(HOUR * 0.75, CHUNKS)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(HOUR * 0.75 + 1, CHUNKS)).toEqual([1, 2, 3, 4, 5]);
    expect(await withBytes(2.5 * HOUR, CHUNKS)).toEqual([2]);
  });

  it('prefetches chunks that cross the ends of the range', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    const range = { from: FROM + HOUR + 1, to: FROM + 4.5 * HOUR };
    expect(await withBytes(24 * HOUR, CHUNKS, range)).toEqual([0, 3]);
    const whole = { from: FROM + HOUR, to: FROM + 4.75 * HOUR };
    expect(await withBytes(24 * HOUR, CHUNKS, whole)).toEqual([]);
  });

  it('prefetches the earliest chunks up to the maximum', async () => {
    await store(storage, seriesId, numbers(4 * CHUNKS), 4);
    expect(await withBytes(EVERY_CHUNK, CHUNKS + 1)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(EVERY_CHUNK, CHUNKS)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await withBytes(EVERY_CHUNK, CHUNKS - 1)).toEqual([0, 1, 2, 3, 4]);
    expect(await withBytes(1.75 * HOUR, 1)).toEqual([1]);
    expect(await withBytes(EVERY_CHUNK, 0)).toEqual([]);
  });

  it('prefetches only the first of the chunks that end after the range', async () => {
    await store(storage, seriesId, numbers(4), 4);
    for (const hours of [30, 40, 50]) {
      const times = Float64Array.of(FROM + HOUR, FROM + hours * HOUR);
      await store(storage, seriesId, { ...numbers(2), times }, 4);
    }
    expect(await withBytes(EVERY_CHUNK, CHUNKS)).toEqual([0, 1]);
    expect(await withBytes(EVERY_CHUNK, 1)).toEqual([0, 1]);
    expect(await withBytes(EVERY_CHUNK, 0)).toEqual([]);
  });

  it('prefetches the same bytes as reading chunks individually', async () => {
    // Noise does not get shorter, so that the list takes several parts on its way.
    const noise = (index: number) => Math.fround(Math.sin(index) * 1e6) / 3;
    const rows = await store(storage, seriesId, numbers(40_000, noise), 512);
    const week = { from: FROM, to: FROM + 40_000 * HOUR };
    const list = await listChunkMetas(storage, [seriesId], week, {
      bucketMs: EVERY_CHUNK,
      maxChunks: 1_000,
    });
    const metas = metasOf(list.get(seriesId));
    const read = await readChunks(
      storage,
      metas.map(() => seriesId),
      metas,
    );
    expect(rows.reduce((sum, { data }) => sum + data.length, 0)).toBeGreaterThan(200_000);
    expect(metas.map(({ data }) => data?.toString('hex'))).toEqual(
      rows.map(({ data }) => data.toString('hex')),
    );
    expect(read.map((bytes) => bytes?.toString('hex'))).toEqual(
      rows.map(({ data }) => data.toString('hex')),
    );
  });

  it('prefetches short chunks of strings for pages, and long ones never', async () => {
    const text = await storeVariable(storage, 'STRING');
    const times = Float64Array.of(FROM, FROM + 2 * HOUR);
    await store(storage, text.seriesId, { kind: 'STRING', times, values: ['a', 'b'] }, 4);
    const long = Array.from({ length: 2 }, (_, index) => `${index}`.repeat(20_000));
    const later = times.map((time) => time + 4 * HOUR);
    await store(storage, text.seriesId, { kind: 'STRING', times: later, values: long }, 4);
    const prefetched = async (bucketMs: number) => {
      const hint = { bucketMs, maxChunks: 4 };
      const list = await listChunkMetas(storage, [seriesId, text.seriesId], DAY, hint);
      expect(list.get(seriesId)?.length).toBe(0);
      return metasOf(list.get(text.seriesId)).map(({ data }) => data !== undefined);
    };
    expect(await prefetched(EVERY_CHUNK)).toEqual([true, false]);
    expect(await prefetched(1)).toEqual([false, false]);
  });

  it('orders metas by first time, whatever their last times', async () => {
    const long = { ...numbers(2), times: Float64Array.of(FROM - 1, FROM + 100 * HOUR) };
    await store(storage, seriesId, numbers(8), 4);
    await store(storage, seriesId, long, 4);
    const list = await listChunkMetas(storage, [seriesId], DAY, {
      bucketMs: EVERY_CHUNK,
      maxChunks: 2,
    });
    const metas = metasOf(list.get(seriesId));
    expect(metas.map(({ firstAt }) => firstAt)).toEqual([FROM - 1, FROM, FROM + HOUR]);
    expect(metas.map(({ data }) => data !== undefined)).toEqual([true, true, true]);
  });
});

describe('storing chunks', () => {
  it('fills a page with the row of a full chunk, and keeps all of it there', async () => {
    const storage = await openHistory();
    const { seriesId } = await storeVariable(storage, 'NUMBER');
    const noise = (index: number) => ((Math.imul(index + 1, 0x9e37_79b1) >>> 8) % 61) / 10;
    const { kind, values } = numbers(60_000, noise);
    const times = values.map((_, index) => FROM + index * 1_000);
    const rows = await store(storage, seriesId, { kind, times, values }, 32_768);
    const full = rows.slice(0, -1).map(({ head, data }) => (head?.length ?? 0) + data.length);
    expect(full.length).toBeGreaterThan(3);
    for (const bytes of full) expect(bytes).toBeGreaterThan(7_500);
    const [size] = await storage.query<{ beside: number; pages: number }>(
      `select pg_relation_size(reltoastrelid) as beside, pg_relation_size(oid) / 8192 as pages
       from pg_class where relname = 'chunks'`,
    );
    expect(size).toEqual({ beside: 0, pages: rows.length });
  });
});
