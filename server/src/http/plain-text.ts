import type { FieldError } from '@fieldwatch/contract';

/** No reply lists more bad fields than this. */
export const MAX_ERRORS = 100;
/** Longer keys are cut in the names of fields in errors. */
const MAX_KEY_LENGTH = 200;
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
  const found: Found = { trail: [], errors: [], root };
  return collect(document, found)
    ? found.errors
    : [{ path: pathOf(found) || 'body', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
}

/** Whether a body can hold it: in JSON of valid UTF-8 only an escape makes it. */
export function mayHoldUnstorable(json: string): boolean {
  return json.includes('\\u');
}

/** What was found so far, and the keys that lead to where the search is: a path costs more. */
interface Found {
  readonly root: string;
  readonly trail: (string | number)[];
  readonly errors: FieldError[];
}

function pathOf({ root, trail }: Found): string {
  return trail.reduce<string>(childPath, root);
}

/** Collects errors. False when the document is too deep; the trail then leads to that depth. */
function collect(container: object, found: Found): boolean {
  const { trail, errors } = found;
  if (trail.length === MAX_DEPTH) return false;
  const isArray = Array.isArray(container);
  for (const key in container) {
    if (errors.length >= MAX_ERRORS) break;
    if (!isArray && UNSTORABLE.test(key)) {
      errors.push({ path: pathOf(found) || 'body', message: KEY_REASON });
    }
    const value = (container as Readonly<Record<string, unknown>>)[key];
    const isContainer = typeof value === 'object' && value !== null;
    if (!isContainer && !isUnstorable(value)) continue;
    trail.push(isArray ? Number(key) : key);
    if (!isContainer) errors.push({ path: pathOf(found), message: REASON });
    else if (!collect(value, found)) return false;
    trail.pop();
  }
  return true;
}

function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && UNSTORABLE.test(value);
}

const REASON = 'must not contain NUL or a lone surrogate';
const KEY_REASON = 'must not have a key with NUL or a lone surrogate';

/** How a field is named in errors: `configuration.subBand`, `ids[3]`. */
export function childPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  const name = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;
  return parent === '' ? name : `${parent}.${name}`;
}
