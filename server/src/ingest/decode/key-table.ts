/** A key of payloads: thousands of Devices share a few of them. */
export interface Key {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The number of the last message that had it. */
  message: number;
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

/**
 * Keys whose object differs from the order or the meaning of its fields: JavaScript moves indexes to
 * the front, and the others belong to an envelope.
 */
const SPECIAL_KEY = /^(\d+|__proto__|data|dataArray|timestamp)$/;

/** Finds keys by their bytes, without a string for each. Bounded: a new key may replace another. */
export class KeyTable {
  /** Behind the last byte of the key that was found. */
  end = 0;
  readonly #keys: (Key | undefined)[] = new Array(SLOTS + SLOTS_PER_KEY).fill(undefined);

  /**
   * The key that begins at this position, behind its quotation mark, marked with the message.
   * Undefined for a key that the message had before, and for one that needs a closer look.
   */
  take(bytes: Buffer, start: number, message: number): Key | undefined {
    let hash = FNV_OFFSET;
    let end = start;
    for (; ; end += 1) {
      // Beyond the end there is no byte, and the comparison is false.
      const byte = bytes[end] as number;
      if (byte === QUOTE) break;
      if (!(byte >= SPACE && byte < DELETE) || byte === BACKSLASH) return undefined;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
    }
    this.end = end;
    const first = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let slot = first; slot < first + SLOTS_PER_KEY; slot += 1) {
      const key = this.#keys[slot];
      if (key === undefined) break;
      if (!isAt(key.bytes, bytes, start, end)) continue;
      if (key.message === message) return undefined;
      key.message = message;
      return key;
    }
    return this.#add(bytes, start, end, first, message);
  }

  #add(bytes: Buffer, start: number, end: number, first: number, message: number): Key | undefined {
    if (start === end || end - start > MAX_KEY_BYTES) return undefined;
    const text = internedKey(bytes.toString('latin1', start, end));
    if (SPECIAL_KEY.test(text)) return undefined;
    let slot = first;
    while (slot < first + SLOTS_PER_KEY && this.#keys[slot] !== undefined) slot += 1;
    if (slot === first + SLOTS_PER_KEY) slot = first;
    // A key of this message must stay, so that its repetition is noticed.
    if (this.#keys[slot]?.message === message) return undefined;
    const key = { text, bytes: new Uint8Array(bytes.subarray(start, end)), message };
    this.#keys[slot] = key;
    return key;
  }
}

function isAt(key: Uint8Array, bytes: Buffer, start: number, end: number): boolean {
  const { length } = key;
  if (length !== end - start) return false;
  for (let index = 0; index < length; index += 1) {
    if (key[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** The copy that the paths of Variables use, so that it is compared with them by reference. */
function internedKey(text: string): string {
  const [key = text] = Object.keys({ [text]: true });
  return key;
}
