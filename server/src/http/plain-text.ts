import type { FieldError } from '@fieldwatch/contract';

/** No reply lists more bad fields than this. */
export const MAX_ERRORS = 100;
/** Of a key in the name of a field: more of it helps nobody. */
const MAX_KEY = 200;
/** Deeper documents are refused: nothing in the interface nests like that. */
const MAX_DEPTH = 64;

// With the u flag a surrogate range matches only those that stand alone.
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;

/**
 * Finds what no text may hold, in every string and every key of a document: NUL, which PostgreSQL
 * cannot store, and lone surrogates, which no UTF-8 can carry.
 */
export function findUnstorable(document: unknown, root = ''): FieldError[] {
  if (typeof document !== 'object' || document === null) {
    return isUnstorable(document) ? [{ path: root || 'body', message: REASON }] : [];
  }
  const errors: FieldError[] = [];
  const tooDeep = lookThrough(document, root, 0, errors);
  return tooDeep === undefined
    ? errors
    : [{ path: tooDeep || 'body', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
}

/** Adds what it finds, and answers the path of what is too deep. Paths are made when needed only. */
function lookThrough(
  container: object,
  path: string,
  depth: number,
  errors: FieldError[],
): string | undefined {
  if (depth === MAX_DEPTH) return path;
  const look = (value: unknown, key: string | number): string | undefined => {
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) errors.push({ path: childPath(path, key), message: REASON });
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    return lookThrough(value, childPath(path, key), depth + 1, errors);
  };
  if (Array.isArray(container)) {
    for (let index = 0; index < container.length && errors.length < MAX_ERRORS; index += 1) {
      const tooDeep = look(container[index], index);
      if (tooDeep !== undefined) return tooDeep;
    }
    return undefined;
  }
  for (const key in container) {
    if (errors.length >= MAX_ERRORS) break;
    if (UNSTORABLE.test(key)) errors.push({ path: path || 'body', message: KEY_REASON });
    const tooDeep = look((container as Record<string, unknown>)[key], key);
    if (tooDeep !== undefined) return tooDeep;
  }
  return undefined;
}

function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && UNSTORABLE.test(value);
}

const REASON = 'must not contain NUL or a lone surrogate';
const KEY_REASON = 'must not have a key with NUL or a lone surrogate';

/** How a field is named in errors: `configuration.subBand`, `ids[3]`. */
export function childPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  const name = key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key;
  return parent === '' ? name : `${parent}.${name}`;
}
