import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../../', import.meta.url);

const BLOCK = /^```(?:sh|console)\n(.*?)^```$/gms;
/** A call at the beginning of a line, or after settings, `npx` or `<(`. */
const CALL = /(?:^|[\s(])fieldwatch( [^#\n>|)]*)?(?=$|[#\n>|)])/m;

/** The words of a call as a shell splits them. */
export function words(call: string): string[] {
  return [...call.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** The arguments of every call of `fieldwatch` in the shell commands of a page. */
export function callsIn(page: string): string[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  return [...text.matchAll(BLOCK)]
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .flatMap((line) => {
      const [found, call = ''] = CALL.exec(line) ?? [];
      return found === undefined ? [] : [call.trim()];
    });
}
