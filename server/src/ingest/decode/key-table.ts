import { Literal } from './literal.ts';

/** A key of payloads: thousands of Devices share a few of them. */
export interface Key {
  readonly text: string;
  /** With the quotation mark behind it. */
  readonly bytes: Uint8Array;
  /** The number of the last message that had it. */
  message: number;
  /** The key that followed it last time: messages repeat their keys in one order. */
  next: Key | undefined;
  /** From `beforeValue`, once it was needed. */
  entryLiteral: Literal | undefined;
}

const SLOTS = 4_096;
/** A key is in one of so many slots, which bounds the search among keys with equal hashes. */
const SLOTS_PER_KEY = 4;
const MAX_KEY_BYTES = 64;
const FNV_OFFSET = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DELETE = 0x7f;

/** JavaScript moves indexes to the front of an object, and the others belong to an envelope. */
const SPECIAL_KEY = /^(\d+|__proto__|data|dataArray|timestamp)$/;

/** Finds keys by their bytes, without a string for each. Bounded: a new key may replace another. */
export class KeyTable {
  readonly #keys: (Key | undefined)[] = new Array(SLOTS + SLOTS_PER_KEY).fill(undefined);

  /**
   * The key that begins at this position, behind its quotation mark, and ends before the end.
   * Undefined for one that is special, or has characters that need a closer look.
   */
  find(bytes: Buffer, start: number, end: number, message: number): Key | undefined {
    const limit = Math.min(end, start + MAX_KEY_BYTES + 1);
    let hash = FNV_OFFSET;
    let at = start;
    for (; at < limit; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return undefined;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
    }
    if (at === start || at === limit) return undefined;
    const first = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let slot = first; slot < first + SLOTS_PER_KEY; slot += 1) {
      const key = this.#keys[slot];
      if (key !== undefined && isKeyAt(key, bytes, start, end)) return key;
    }
    return this.#add(bytes.subarray(start, at + 1), first, message);
  }

  #add(bytes: Buffer, first: number, message: number): Key | undefined {
    const text = interned(bytes.toString('latin1', 0, bytes.length - 1));
    if (SPECIAL_KEY.test(text)) return undefined;
    let slot = first;
    while (slot < first + SLOTS_PER_KEY && this.#keys[slot] !== undefined) slot += 1;
    if (slot === first + SLOTS_PER_KEY) slot = first;
    // A key of this message stays, so that its repetition is noticed.
    if (this.#keys[slot]?.message === message) return undefined;
    const key = {
      text,
      bytes: new Uint8Array(bytes),
      message: 0,
      next: undefined,
      entryLiteral: undefined,
    };
    this.#keys[slot] = key;
    return key;
  }
}

/** Whether the key and its quotation mark are at this position, before the end. */
export function isKeyAt({ bytes: own }: Key, bytes: Buffer, start: number, end: number): boolean {
  const { length } = own;
  if (start + length > end) return false;
  for (let index = 0; index < length; index += 1) {
    if (own[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** What is before the value in an entry of the key that has no white space. */
export function beforeValue(key: Key): Literal {
  key.entryLiteral ??= new Literal(`{"key":"${key.text}","value":`);
  return key.entryLiteral;
}

/** The copy that the paths of Variables use, so that it is compared with them by reference. */
function interned(text: string): string {
  const [key = text] = Object.keys({ [text]: true });
  return key;
}
