import { csvCell } from '../runtime/index.ts';
import type { Input, Reply } from '../service/index.ts';

type Raw = Extract<Reply<'listReadings'>, { nextStartTime: number | null }>;
type Call = (id: 'listReadings', input: Input<'listReadings'>) => Promise<Reply<'listReadings'>>;

const READINGS_PER_PAGE = 50_000;

interface Source {
  readonly device: string;
  readonly variable: string;
  readonly unit: string | null;
}

interface ExportRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** A file name with the Device, the Variable and the range in UTC: characters of no meaning in paths. */
export function exportFileName(
  { device, variable }: Source,
  { startMs, endMs }: ExportRange,
): string {
  const [from, to] = [startMs, endMs].map((ms) =>
    new Date(ms).toISOString().slice(0, 16).replaceAll(':', ''),
  );
  return `${device} ${variable} ${from}Z to ${to}Z.csv`.replaceAll(/[/\\:*?"<>|]+/g, '-');
}

/** The head of the file, which names the Device, the Variable and its unit. */
export function exportHead({ device, variable, unit }: Source): string {
  const value = `${device}: ${variable}${unit ? ` (${unit})` : ''}`;
  return `time,timestamp,${csvCell(value)}\r\n`;
}

/**
 * Reads all readings of a range page by page as CSV and reports the progress. Null when readings are
 * missing because a server cannot be reached: a file cannot say so.
 */
export async function readingsCsv(
  call: Call,
  { variableId, ...source }: Source & { readonly variableId: string },
  range: ExportRange,
  onProgress: (count: number) => void,
): Promise<Blob | null> {
  const parts = [exportHead(source)];
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
