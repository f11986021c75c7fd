const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Whether JSON text holds more values than this, found without parsing it: parsing is what many
 * small values make slow. Each value of an array or object follows an opening bracket or a comma.
 */
export function hasMoreValues(json: Uint8Array, maxValues: number): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at + 1);
    } else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1;
      if (values > maxValues) return true;
    }
  }
  return false;
}

/** The position of the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a parsed document has more values than this; looks at no more than so many. */
export function isLargerThan(document: unknown, maxValues: number): boolean {
  let values = 0;
  const open = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      values += 1;
      if (values > maxValues) return true;
      const inner = (next as Readonly<Record<string, unknown>>)[key];
      if (typeof inner === 'object') open.push(inner);
    }
  }
  return false;
}
