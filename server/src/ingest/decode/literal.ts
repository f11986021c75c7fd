const WORD_BYTES = 4;

/** A text of at least four bytes that is compared four bytes at a time. */
export class Literal {
  readonly length: number;
  /** The words of the text. The last one ends with the text, and may overlap the one before. */
  readonly #words: Int32Array;
  readonly #lastWord: number;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    const full = Math.floor(bytes.length / WORD_BYTES);
    this.length = bytes.length;
    this.#words = Int32Array.from({ length: full }, (_, word) =>
      bytes.readInt32LE(WORD_BYTES * word),
    );
    this.#lastWord = bytes.readInt32LE(bytes.length - WORD_BYTES);
  }

  /** Whether the text is at this position, before the last byte. */
  isAt(view: DataView, start: number, last: number): boolean {
    const end = start + this.length;
    if (end > last) return false;
    const words = this.#words;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(start + WORD_BYTES * word, true) !== words[word]) return false;
    }
    return view.getInt32(end - WORD_BYTES, true) === this.#lastWord;
  }
}
