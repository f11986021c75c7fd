/**
 * False for what cannot be kept: NUL, which PostgreSQL refuses, and lone surrogates, which no UTF-8
 * can carry.
 */
export function isStorable(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0) return false;
    if ((unit & 0xf800) === 0xd800) {
      const isPair = unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
      if (!isPair) return false;
      index += 1;
    }
  }
  return true;
}

/** True when the text has at most so many code points. */
export function isWithin(text: string, maxCodePoints: number): boolean {
  if (text.length <= maxCodePoints) return true;
  // A code point takes two units at most, so that a very long text need not be counted.
  return text.length <= 2 * maxCodePoints && unitsOf(text, maxCodePoints) === text.length;
}

/** How many units the first so many code points take. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let count = 0; count < codePoints && units < text.length; count += 1) {
    const isPair = (text.charCodeAt(units + 1) & 0xfc00) === 0xdc00;
    units += isPair ? 2 : 1;
  }
  return units;
}

/** The text as it can be shown and kept: cut, and with U+FFFD for what is unstorable. */
export function presentable(text: string, maxCodePoints: number): string {
  const isShort = isWithin(text, maxCodePoints);
  if (isShort && isStorable(text)) return text;
  const head = isShort ? text : `${text.slice(0, unitsOf(text, maxCodePoints))}…`;
  // By way of bytes, because a slice would keep the whole text in memory.
  return Buffer.from(head).toString().replaceAll('\0', '\ufffd');
}
