import { csvCell } from '../runtime/index.ts';
import type { Input, Reply } from '../service/index.ts';

type Raw = Extract<Reply<'listReadings'>, { nextStartTime: number | null }>;
type Call = (id: 'listReadings', input: Input<'listReadings'>) => Promise<Reply<'listReadings'>>;

const READINGS_PER_PAGE = 50_000;

/**
 * Reads all readings of a range page by page as CSV and reports the progress. Null when readings are
 * missing because a server cannot be reached: a file cannot say so.
 */
export async function readingsCsv(
  call: Call,
  variableId: string,
  range: { readonly startMs: number; readonly endMs: number },
  onProgress: (count: number) => void,
): Promise<Blob | null> {
  const parts = ['time,timestamp,value\r\n'];
  let count = 0;
  let startTime: number | null = Math.round(range.startMs);
  while (startTime !== null) {
    const reply: Reply<'listReadings'> = await call('listReadings', {
      variableId,
      query: { startTime, endTime: Math.round(range.endMs), take: READINGS_PER_PAGE },
    });
    const { items, nextStartTime, incomplete } = reply as Raw;
    if (incomplete) return null;
    parts.push(
      ...items.map(
        ({ timestamp, value }) =>
          `${new Date(timestamp).toISOString()},${timestamp},${csvCell(value)}\r\n`,
      ),
    );
    count += items.length;
    onProgress(count);
    startTime = nextStartTime;
  }
  return new Blob(parts, { type: 'text/csv' });
}
