/**
 * Whether a caller would rather have CSV than JSON: it is named in `Accept`, and JSON is not, or
 * with less weight, or later.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > 1_000) return false;
  let best: { type: string; weight: number } | undefined;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    if (type !== 'text/csv' && type !== 'application/json') continue;
    const q = parameters.find((each) => each.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type === 'text/csv';
}
