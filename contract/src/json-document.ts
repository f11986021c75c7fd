import type { FieldError } from './problem.ts';

/** Deeper documents are refused elsewhere; here they must only do no harm. */
const MAX_DEPTH = 64;

/** What is wrong with a JSON document of free form that is kept as it was sent. */
export function documentErrors(
  path: string,
  document: unknown,
  maxKibibytes: number,
): FieldError[] {
  const infinite = pathOfInfinite(document, path, 0);
  if (infinite === TOO_DEEP) return [];
  // It would be stored as null.
  if (infinite !== undefined) {
    return [{ path: infinite, message: 'must be a number within the range of doubles' }];
  }
  return utf8Bytes(JSON.stringify(document) ?? '') > maxKibibytes * 1024
    ? [{ path, message: `must be at most ${maxKibibytes} KiB as JSON` }]
    : [];
}

const TOO_DEEP = Symbol('too deep');

/** Where the first number stands that is not finite. Paths are made on the way back only. */
function pathOfInfinite(
  value: unknown,
  path: string,
  depth: number,
): string | typeof TOO_DEEP | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  for (const key in value) {
    const inner = pathOfInfinite((value as Readonly<Record<string, unknown>>)[key], '', depth + 1);
    if (inner === TOO_DEEP) return TOO_DEEP;
    if (inner !== undefined) {
      return `${path}${Array.isArray(value) ? `[${key}]` : `.${key}`}${inner}`;
    }
  }
  return undefined;
}

/** Of well-formed text: each half of a surrogate pair stands for two of four bytes. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  return bytes;
}
