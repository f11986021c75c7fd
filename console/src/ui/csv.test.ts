import { describe, expect, it } from 'vitest';
import { csvOf, MAX_EXPORTED_RECORDS, readAll } from './csv.ts';

describe('an export of a list', () => {
  it('has a line for each record, with separators and formulas made safe', () => {
    const columns = [
      { head: 'Name', value: ({ name }: { name: string }) => name },
      { head: 'Size', value: () => null },
    ];
    expect(csvOf(columns, [{ name: 'a, "b"' }, { name: '=1+1' }])).toBe(
      'Name,Size\r\n"a, ""b""",\r\n\'=1+1,\r\n',
    );
  });

  const readOf = (count: number) => {
    const calls: number[] = [];
    const read = async ({ skip, take }: { skip: number; take: number }) => {
      calls.push(skip);
      const length = Math.max(0, Math.min(take, count - skip));
      return { count, items: Array.from({ length }, (_, at) => ({ id: String(skip + at) })) };
    };
    return { calls, read };
  };

  it('reads every page and reports the progress', async () => {
    const { calls, read } = readOf(2_500);
    const progress: number[] = [];
    const { records } = await readAll(read, (done) => progress.push(done));
    expect(records).toHaveLength(2_500);
    expect(calls).toEqual([0, 1_000, 2_000]);
    expect(progress).toEqual([1_000, 2_000, 2_500]);
  });

  it('is bounded, and knows how many records there are', async () => {
    const { read } = readOf(MAX_EXPORTED_RECORDS + 1);
    const { records, count } = await readAll(read, () => undefined);
    expect(records).toHaveLength(MAX_EXPORTED_RECORDS);
    expect(count).toBe(MAX_EXPORTED_RECORDS + 1);
  });

  it('has a record once that moved to another page meanwhile', async () => {
    const read = async ({ skip }: { skip: number }) => ({
      count: 2_000,
      items: skip === 0 ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'b' }, { id: 'c' }],
    });
    const { records } = await readAll(read, () => undefined);
    expect(records.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
