const SPACE = 0x20;
const COLON = 0x3a;

/** In place of a position: the payload is not plain. */
export const NOT_PLAIN = -1;

/** Whether the text is at this position, before the end. */
export function isAt(text: Uint8Array, bytes: Buffer, start: number, end: number): boolean {
  const { length } = text;
  if (start + length > end) return false;
  for (let index = 0; index < length; index += 1) {
    if (text[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** The position of the first byte from here on that is no white space of JSON. */
export function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] as number) <= SPACE && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** The position of the value behind a colon. */
export function skipColon(bytes: Buffer, start: number): number {
  const at = skipSpace(bytes, start);
  return bytes[at] === COLON ? skipSpace(bytes, at + 1) : NOT_PLAIN;
}

/** The position of the last byte up to here that is no white space; negative when there is none. */
export function lastByte(bytes: Buffer, end: number): number {
  let at = end;
  while (at >= 0 && isSpace(bytes[at] as number)) at -= 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
