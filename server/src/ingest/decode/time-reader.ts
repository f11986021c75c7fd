import { isNumeric, readNumber } from './number.ts';

/** A time in epoch milliseconds from 2001 on has so many digits. */
const DIGITS = 13;
/** Times within 100 seconds have the others in common. */
const TAIL_DIGITS = 5;
const HEAD_DIGITS = DIGITS - TAIL_DIGITS;
const TAIL_POWER = 10 ** TAIL_DIGITS;
const MIN_HEAD = 10 ** (HEAD_DIGITS - 1);
const WORD_BYTES = 4;
const NO_DIGITS = -1;

const ZERO = 0x30;

/** Reads the times of a list, of which most have their first digits in common with the one before. */
export class TimeReader {
  /** The first digits of the last time: as two words of its text, and as a number. */
  #firstWord = 0;
  #secondWord = 0;
  #head = 0;

  /** Reads a number that most likely is a time, as `readNumber` does. The view has the same bytes. */
  read(bytes: Buffer, view: DataView, start: number, into: Float64Array, index: number): number {
    const end = start + DIGITS;
    if (
      end >= bytes.length ||
      isNumeric(bytes[end] as number) ||
      !this.#takeHead(bytes, view, start)
    ) {
      return readNumber(bytes, start, into, index);
    }
    const tail = readDigits(bytes, start + HEAD_DIGITS, end);
    if (tail === NO_DIGITS) return readNumber(bytes, start, into, index);
    into[index] = this.#head * TAIL_POWER + tail;
    return end;
  }

  /** False where the text does not begin as a time. */
  #takeHead(bytes: Buffer, view: DataView, start: number): boolean {
    const firstWord = view.getInt32(start);
    const secondWord = view.getInt32(start + WORD_BYTES);
    if (firstWord === this.#firstWord && secondWord === this.#secondWord) return true;
    const head = readDigits(bytes, start, start + HEAD_DIGITS);
    if (head < MIN_HEAD) return false;
    this.#firstWord = firstWord;
    this.#secondWord = secondWord;
    this.#head = head;
    return true;
  }
}

/** At most nine digits as an integer; negative where another byte is among them. */
function readDigits(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return NO_DIGITS;
    value = (Math.imul(value, 10) + digit) | 0;
  }
  return value;
}
