import { UnreadableEvent } from './event.ts';

type Fields = Readonly<Record<string, unknown>>;

const EUI = /^[0-9a-fA-F]{16}$/;
const FRACTION = /(\.\d{3})\d+/;

/** The fields of a part of a message; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Some numbers are texts, because they may have 64 bits. */
export function countOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

/** In upper case, as Devices have it. */
export function euiOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || !EUI.test(value)) {
    throw new UnreadableEvent(`${name} is not 16 hexadecimal characters`);
  }
  return value.toUpperCase();
}

/** Times have up to nine digits of a second; what is below a millisecond is cut. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const at = Date.parse(value.replace(FRACTION, '$1'));
  return Number.isNaN(at) ? null : at;
}

export function requiredTime(value: unknown, name: string): number {
  const at = timeOf(value);
  if (at === null) throw new UnreadableEvent(`${name} is not a time`);
  return at;
}

export function bytesOf(value: unknown): Buffer {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.alloc(0);
}
