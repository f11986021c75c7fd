import type { ByteReader } from '../codec/index.ts';

/*
 * A column of numbers in groups, each in the first of the forms that all of its numbers have. The
 * layout is specified in codec/FORMAT.md. Where a group does not have a form, one of its first
 * numbers shows it in most cases, so that trying a form costs next to nothing.
 */
export type Column = Float64Array | Uint32Array;
export type Form = 'INTEGERS' | 'THOUSANDTHS' | 'DIFFERENCES';

const GROUP = 128;
const DOUBLES = 0;
const INTEGERS = 1;
const THOUSANDTHS = 2;
const DIFFERENCES = 3;
/** An integer of this size is a varint of at most five bytes, and is computed with as 32 bits. */
const MAX_INTEGER = 2 ** 30 - 1;
const NONE = -1;

/** The most bytes that a column takes. */
export function maxPackedBytes(count: number): number {
  return 8 * count + 9 * Math.ceil(count / GROUP);
}

/** Writes a column behind `at`, and returns its end. */
export function packColumn(
  bytes: Buffer,
  at: number,
  column: Column,
  forms: readonly Form[],
): number {
  let end = at;
  for (let from = 0; from < column.length; from += GROUP) {
    const to = Math.min(from + GROUP, column.length);
    end = packGroup(bytes, end, { column, from, to }, forms);
  }
  return end;
}

/** Some numbers of a column. */
interface Group {
  readonly column: Column;
  readonly from: number;
  readonly to: number;
}

function packGroup(bytes: Buffer, at: number, group: Group, forms: readonly Form[]): number {
  for (const form of forms) {
    const end = packAs(form, bytes, at, group);
    if (end !== NONE) return end;
  }
  bytes[at] = DOUBLES;
  return packDoubles(bytes, at + 1, group);
}

function packAs(form: Form, bytes: Buffer, at: number, group: Group): number {
  if (form === 'INTEGERS') {
    bytes[at] = INTEGERS;
    return packMultiples(bytes, at + 1, group, 1);
  }
  if (form === 'THOUSANDTHS') {
    bytes[at] = THOUSANDTHS;
    return packMultiples(bytes, at + 1, group, 1000);
  }
  bytes[at] = DIFFERENCES;
  return packDifferences(bytes, at + 1, group);
}

function packDoubles(bytes: Buffer, at: number, { column, from, to }: Group): number {
  let end = at;
  for (let index = from; index < to; index += 1) {
    end = bytes.writeDoubleLE(column[index] as number, end);
  }
  return end;
}

/** Numbers times `scale`, or none where one of them would not be the same after it is divided again. */
function packMultiples(
  bytes: Buffer,
  at: number,
  { column, from, to }: Group,
  scale: number,
): number {
  let end = at;
  for (let index = from; index < to; index += 1) {
    const number = column[index] as number;
    const multiple = Math.round(number * scale);
    if (multiple / scale !== number || multiple > MAX_INTEGER || multiple < -MAX_INTEGER) {
      return NONE;
    }
    // Its sign would be lost.
    if (multiple === 0 && 1 / number < 0) return NONE;
    end = putSigned(bytes, end, multiple);
  }
  return end;
}

/** The first of some integers, and the distance of each other one from the one before it. */
function packDifferences(bytes: Buffer, at: number, { column, from, to }: Group): number {
  let previous = column[from] as number;
  let end = bytes.writeDoubleLE(previous, at);
  for (let index = from + 1; index < to; index += 1) {
    const number = column[index] as number;
    const difference = number - previous;
    if (difference > MAX_INTEGER || difference < -MAX_INTEGER) return NONE;
    end = putSigned(bytes, end, difference);
    previous = number;
  }
  return end;
}

/** Zigzag in a varint. */
function putSigned(bytes: Buffer, at: number, integer: number): number {
  return putVarint(bytes, at, (integer << 1) ^ (integer >> 31));
}

/** An integer below 2^31, seven bits a byte. Returns the end. */
export function putVarint(bytes: Buffer, at: number, integer: number): number {
  let end = at;
  let left = integer;
  for (; left > 127; left >>>= 7) bytes[end++] = left | 128;
  bytes[end++] = left;
  return end;
}

/** Fills a column. False for a form that there is not. */
export function unpackColumn(reader: ByteReader, column: Column): boolean {
  for (let from = 0; from < column.length; from += GROUP) {
    if (!unpackGroup(reader, column.subarray(from, from + GROUP))) return false;
  }
  return true;
}

function unpackGroup(reader: ByteReader, group: Column): boolean {
  const form = reader.byte();
  if (form > DIFFERENCES) return false;
  let previous = form === DIFFERENCES ? reader.double() : 0;
  for (let index = 0; index < group.length; index += 1) {
    if (form === DOUBLES) previous = reader.double();
    else if (form === INTEGERS) previous = reader.signed();
    else if (form === THOUSANDTHS) previous = reader.signed() / 1000;
    else if (index > 0) previous += reader.signed();
    group[index] = previous;
  }
  return true;
}
