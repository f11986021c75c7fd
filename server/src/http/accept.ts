import { COLUMNS_MEDIA_TYPE } from '@fieldwatch/contract';

/** What an answer is written as. */
export type Format = 'json' | 'csv' | 'parquet' | 'columns';

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  columns: COLUMNS_MEDIA_TYPE,
};

/**
 * The offered format that `Accept` names with the greatest weight, the earlier one of equals; JSON
 * where it names none.
 */
export function preferredFormat(accept: string | undefined, offered: readonly Format[]): Format {
  if (accept === undefined || accept.length > 1_000 || offered.length === 1) return 'json';
  let best: { format: Format; weight: number } = { format: 'json', weight: 0 };
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const format = offered.find((each) => MEDIA_TYPES[each] === type);
    if (!format) continue;
    const q = parameters.find((each) => each.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (weight > best.weight) best = { format, weight };
  }
  return best.format;
}
