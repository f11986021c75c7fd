import type { Range } from './range.ts';

/** The address of a view at exactly these times. It has nothing else that it would have anyway. */
export function fixedLink(address: string, { startMs, endMs }: Range): string {
  const url = new URL(address);
  url.searchParams.delete('last');
  url.searchParams.set('from', String(Math.round(startMs)));
  url.searchParams.set('to', String(Math.round(endMs)));
  return url.href;
}
