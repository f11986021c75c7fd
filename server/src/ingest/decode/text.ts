/**
 * False for text that cannot be stored: NUL, which PostgreSQL refuses, and lone surrogates, which
 * UTF-8 cannot encode.
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
  // A code point has at most two units, so that a very long text need not be counted.
  return text.length <= 2 * maxCodePoints && unitsOf(text, maxCodePoints) === text.length;
}

/** How many units the first code points have. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let count = 0; count < codePoints && units < text.length; count += 1) {
    const isPair = (text.charCodeAt(units + 1) & 0xfc00) === 0xdc00;
    units += isPair ? 2 : 1;
  }
  return units;
}

/** The text truncated, with U+FFFD for characters that cannot be stored. */
export function presentable(text: string, maxCodePoints: number): string {
  const isShort = isWithin(text, maxCodePoints);
  if (isShort && isStorable(text)) return text;
  const head = isShort ? text : `${text.slice(0, unitsOf(text, maxCodePoints))}…`;
  // Through bytes, because a slice would retain the whole text in memory.
  return Buffer.from(head).toString().replaceAll('\0', '\ufffd');
}
