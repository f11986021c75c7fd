/** A record of a CSV file (RFC 4180), with the number of the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The character that separates the fields of a header: the one that occurs most. */
export function separatorOf(header: string): string {
  const count = (character: string) => header.split(character).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Reads records from text that arrives in pieces. Quoted fields may contain line ends. */
export class CsvReader {
  readonly #separator: string;
  #line = 1;
  #start = 1;
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  #wasQuote = false;
  #wasReturn = false;

  constructor(separator: string) {
    this.#separator = separator;
  }

  *read(text: string): Generator<CsvRecord> {
    for (const character of text) {
      if (this.#isQuoted) {
        this.#quoted(character);
        continue;
      }
      const isSecondEnd = character === '\n' && this.#wasReturn;
      this.#wasReturn = character === '\r';
      if (isSecondEnd) continue;
      if (character === '\n' || character === '\r') {
        yield* this.end();
        this.#line += 1;
        this.#start = this.#line;
      } else {
        this.#plain(character);
      }
    }
  }

  /** The last record, where the file does not end with a line end. */
  *end(): Generator<CsvRecord> {
    const isEmpty = this.#fields.length === 0 && this.#field === '';
    const record = { line: this.#start, fields: [...this.#fields, this.#field] };
    this.#fields = [];
    this.#field = '';
    this.#wasQuote = false;
    if (!isEmpty) yield record;
  }

  #plain(character: string): void {
    if (character === this.#separator) {
      this.#fields.push(this.#field);
      this.#field = '';
      this.#wasQuote = false;
    } else if (character === '"' && (this.#field === '' || this.#wasQuote)) {
      // A quote right after a closing one is a quote of the text.
      if (this.#wasQuote) this.#field += '"';
      this.#isQuoted = true;
    } else {
      this.#field += character;
    }
  }

  #quoted(character: string): void {
    if (character === '"') {
      this.#isQuoted = false;
      this.#wasQuote = true;
      return;
    }
    if (character === '\n') this.#line += 1;
    this.#field += character;
  }
}
