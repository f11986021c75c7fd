import type { Answer, Given } from '../service/index.ts';

type Raw = Extract<Answer<'listReadings'>, { nextStartTime: number | null }>;
type Call = (id: 'listReadings', given: Given<'listReadings'>) => Promise<Answer<'listReadings'>>;

const PAGE = 50_000;

/** Text stays text in a spreadsheet, and a formula stays unexecuted. */
function cell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Every reading of a range as CSV, page by page, with word of how many there are so far. */
export async function readingsCsv(
  call: Call,
  variableId: string,
  range: { readonly startMs: number; readonly endMs: number },
  onProgress: (count: number) => void,
): Promise<Blob> {
  const parts = ['time,timestamp,value\r\n'];
  let count = 0;
  let startTime: number | null = Math.round(range.startMs);
  while (startTime !== null) {
    const answer: Answer<'listReadings'> = await call('listReadings', {
      variableId,
      query: { startTime, endTime: Math.round(range.endMs), take: PAGE },
    });
    const { items, nextStartTime } = answer as Raw;
    parts.push(
      ...items.map(
        ({ timestamp, value }) =>
          `${new Date(timestamp).toISOString()},${timestamp},${cell(value)}\r\n`,
      ),
    );
    count += items.length;
    onProgress(count);
    startTime = nextStartTime;
  }
  return new Blob(parts, { type: 'text/csv' });
}
