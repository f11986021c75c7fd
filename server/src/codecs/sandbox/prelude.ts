/** How many lines of `console.log` are kept, and how many characters of each. */
export const MAX_CONSOLE_LINES = 20;
const MAX_LINE_LENGTH = 500;
/** How long the JSON of what a codec returns may be. */
const MAX_OUTPUT_LENGTH = 65_536;

/**
 * The first script of every context. It defines the globals that the language does not have, and
 * returns the function that calls a codec. It captures what it needs before the codec can replace it.
 */
export const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const HostDate = Date;
  const lines = [];
  const textOf = (value) => {
    const text = typeof value === 'object' && value !== null ? stringify(value) : String(value);
    return String(text).slice(0, ${MAX_LINE_LENGTH});
  };
  const log = (...values) => {
    if (lines.length >= ${MAX_CONSOLE_LINES}) return;
    lines[lines.length] = values.slice(0, 20).map(textOf).join(' ').slice(0, ${MAX_LINE_LENGTH});
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };

  const hexPairs = (text) => text.match(/^(?:[0-9a-f]{2})*/i)[0].match(/../g) || [];
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const base64Bytes = (text) => {
    const bytes = [];
    let bits = 0;
    let held = 0;
    for (const each of text.replace(/-/g, '+').replace(/_/g, '/')) {
      const digit = BASE64.indexOf(each);
      if (digit < 0) continue;
      held = (held << 6) | digit;
      bits += 6;
      if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
    }
    return bytes;
  };
  const utf8Bytes = (text) =>
    Array.from(unescape(encodeURIComponent(text)), (each) => each.charCodeAt(0));
  const bytesOf = (text, encoding = 'utf8') => {
    if (encoding === 'hex') return hexPairs(text).map((pair) => parseInt(pair, 16));
    if (encoding === 'base64' || encoding === 'base64url') return base64Bytes(text);
    if (encoding === 'utf8' || encoding === 'utf-8') return utf8Bytes(text);
    return Array.from(text, (each) => each.charCodeAt(0) & 255);
  };
  class Buffer extends Uint8Array {
    static from(value, encoding) {
      const bytes = typeof value === 'string' ? bytesOf(value, encoding) : Array.from(value);
      const made = new Buffer(bytes.length);
      made.set(bytes);
      return made;
    }
    static alloc(size, fill = 0) {
      return new Buffer(size).fill(fill);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static concat(list) {
      return Buffer.from(list.reduce((all, each) => all.concat(Array.from(each)), []));
    }
    slice(from, to) {
      return this.subarray(from, to);
    }
    toString(encoding = 'utf8') {
      const bytes = Array.from(this);
      if (encoding === 'hex') return bytes.map((each) => ('0' + each.toString(16)).slice(-2)).join('');
      const text = bytes.map((each) => String.fromCharCode(each)).join('');
      if (encoding === 'base64') {
        let out = '';
        for (let at = 0; at < bytes.length; at += 3) {
          const three = (bytes[at] << 16) | ((bytes[at + 1] || 0) << 8) | (bytes[at + 2] || 0);
          for (let index = 0; index < 4; index += 1) {
            const isMissing = at + index > bytes.length;
            out += isMissing ? '=' : BASE64[(three >> (18 - 6 * index)) & 63];
          }
        }
        return out;
      }
      if (encoding === 'ascii' || encoding === 'latin1' || encoding === 'binary') return text;
      try {
        return decodeURIComponent(escape(text));
      } catch (_) {
        return text;
      }
    }
    readUIntBE(at, size) {
      let value = 0;
      for (let index = 0; index < size; index += 1) value = value * 256 + this.#at(at + index);
      return value;
    }
    readUIntLE(at, size) {
      let value = 0;
      for (let index = size - 1; index >= 0; index -= 1) value = value * 256 + this.#at(at + index);
      return value;
    }
    readIntBE(at, size) {
      return signed(this.readUIntBE(at, size), size);
    }
    readIntLE(at, size) {
      return signed(this.readUIntLE(at, size), size);
    }
    #at(at) {
      if (at < 0 || at >= this.length) throw new RangeError('The offset is outside of the buffer.');
      return this[at];
    }
  }
  const signed = (value, size) => (value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value);
  const method = (name, run) =>
    Object.defineProperty(Buffer.prototype, name, { value: run, configurable: true, writable: true });
  for (const order of ['BE', 'LE']) {
    for (const size of [1, 2, 4]) {
      const bits = 8 * size + (size === 1 ? '' : order);
      for (const kind of ['UInt', 'Int', 'Uint']) {
        const read = Buffer.prototype['read' + (kind === 'Int' ? 'Int' : 'UInt') + order];
        method('read' + kind + bits, function (at = 0) {
          return read.call(this, at, size);
        });
      }
    }
    for (const [name, size] of [['Float', 4], ['Double', 8]]) {
      method('read' + name + order, function (at = 0) {
        const view = new DataView(this.buffer, this.byteOffset + at, size);
        return view['getFloat' + 8 * size](0, order === 'LE');
      });
    }
  }
  globalThis.Buffer = Buffer;

  const outputOf = (decode, text) => {
    const input = parse(text);
    input.recvTime = new HostDate(input.recvTime);
    const output = stringify(decode(input));
    if (output === undefined) throw new TypeError('decodeUplink returned nothing');
    if (output.length > ${MAX_OUTPUT_LENGTH}) {
      throw new RangeError('decodeUplink returned more than ${MAX_OUTPUT_LENGTH} characters of JSON');
    }
    return output;
  };
  return { outputOf, consoleText: () => stringify(lines) };
})()`;
