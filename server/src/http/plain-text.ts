import type { FieldError } from '@fieldwatch/contract';

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
  const errors: FieldError[] = [];
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: document, path: root, depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) errors.push({ path: path || 'body', message: REASON });
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) {
        return [{ path: path || 'body', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
      }
      for (const [key, inner] of Object.entries(value)) {
        const innerPath = childPath(path, Array.isArray(value) ? Number(key) : key);
        if (UNSTORABLE.test(key)) errors.push({ path: path || 'body', message: KEY_REASON });
        open.push({ value: inner, path: innerPath, depth: depth + 1 });
      }
    }
  }
  return errors;
}

const REASON = 'must not contain NUL or a lone surrogate';
const KEY_REASON = 'must not have a key with NUL or a lone surrogate';

/** How a field is named in errors: `configuration.subBand`, `ids[3]`. */
export function childPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
