import type { FieldError } from './problem.ts';

/** Deeper documents are refused elsewhere; here they must only do no harm. */
const MAX_DEPTH = 64;

/** What is wrong with a JSON document of free form that is kept as it was sent. */
export function documentErrors(
  path: string,
  document: unknown,
  maxKibibytes: number,
): FieldError[] {
  const open = [{ value: document, path, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value } = next;
    // It would be stored as null.
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return [{ path: next.path, message: 'must be a number within the range of doubles' }];
    }
    if (typeof value !== 'object' || value === null) continue;
    if (next.depth === MAX_DEPTH) return [];
    for (const [key, inner] of Object.entries(value)) {
      const place = Array.isArray(value) ? `${next.path}[${key}]` : `${next.path}.${key}`;
      open.push({ value: inner, path: place, depth: next.depth + 1 });
    }
  }
  return utf8Bytes(JSON.stringify(document) ?? '') > maxKibibytes * 1024
    ? [{ path, message: `must be at most ${maxKibibytes} KiB as JSON` }]
    : [];
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
