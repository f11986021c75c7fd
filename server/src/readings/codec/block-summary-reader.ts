import { IN_DOUBLES, IN_STEPS, IN_STEPS_WITH_SUMS } from './block-summary-form.ts';
import type { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { type DecimalEncoding, decodedValue } from './decimal-encoding.ts';
import type { IntegerReader } from './integer-reader.ts';
import type { FormedValues } from './numbers.ts';
import type { Summary } from './summary.ts';

/** The summaries of values, a zone at a time. */
export interface ValueZones {
  /** Advances to the next zone, which has `count` values. */
  next(count: number): void;
  /** Prepares the source to decode this zone after others were skipped. */
  resume(): void;
  summary(startTime: number, endTime: number): Summary;
}

/** Reads the first time of each zone of `size` readings into `starts`. */
export function readStarts(
  reader: ByteReader,
  count: number,
  size: number,
  times: IntegerReader,
  starts: Float64Array,
): void {
  const { uniform } = times;
  const zones = Math.ceil(count / size);
  let steps = 0;
  for (let zone = 0; zone < zones; zone += 1) {
    if (zone > 0) steps += uniform === undefined ? reader.varint() : uniform * size;
    starts[zone] = times.at(steps);
  }
}

export function valueZonesOf(reader: ByteReader, form: number, values: FormedValues): ValueZones {
  if (values.encoding === undefined) {
    if (form !== IN_DOUBLES) throw new DamagedChunk('its block summaries are not of doubles');
    return new DoubleZones(reader, values);
  }
  if (form !== IN_STEPS && form !== IN_STEPS_WITH_SUMS) {
    throw new DamagedChunk('its block summaries are not of steps');
  }
  return new StepZones(reader, form === IN_STEPS_WITH_SUMS, values.encoding, values.source);
}

class StepZones implements ValueZones {
  readonly #reader: ByteReader;
  readonly #hasSums: boolean;
  readonly #encoding: DecimalEncoding;
  readonly #source: IntegerReader;
  #count = 0;
  #first = 0;
  #last = 0;
  #least = 0;
  #greatest = 0;
  /** The sum of the values, or of the steps relative to the first one. */
  #sum = 0;

  constructor(
    reader: ByteReader,
    hasSums: boolean,
    encoding: DecimalEncoding,
    source: IntegerReader,
  ) {
    this.#reader = reader;
    this.#hasSums = hasSums;
    this.#encoding = encoding;
    this.#source = source;
  }

  next(count: number): void {
    const isFirst = this.#count === 0;
    this.#count = count;
    const { uniform } = this.#source;
    if (uniform === undefined) this.#read(isFirst);
    else this.#compute(isFirst, uniform);
    if (this.#hasSums) this.#sum = this.#reader.double();
  }

  #read(isFirst: boolean): void {
    const reader = this.#reader;
    const first = isFirst ? 0 : this.#last + reader.signed();
    this.#first = first;
    this.#last = first + reader.signed();
    this.#least = first - reader.varint();
    this.#greatest = first + reader.varint();
    if (!this.#hasSums) this.#sum = reader.signed();
  }

  #compute(isFirst: boolean, uniform: number): void {
    const first = isFirst ? 0 : this.#last + uniform;
    const way = uniform * (this.#count - 1);
    this.#first = first;
    this.#last = first + way;
    this.#least = Math.min(first, this.#last);
    this.#greatest = Math.max(first, this.#last);
    this.#sum = (way * this.#count) / 2;
  }

  resume(): void {
    this.#source.resume(this.#source.at(this.#first));
  }

  summary(startTime: number, endTime: number): Summary {
    return {
      count: this.#count,
      startTime,
      endTime,
      min: this.#valueAt(this.#least),
      max: this.#valueAt(this.#greatest),
      sum: this.#total(),
      first: this.#valueAt(this.#first),
      last: this.#valueAt(this.#last),
    };
  }

  #total(): number {
    if (this.#hasSums) return this.#sum;
    // A constant: this is exact also for 32-bit values.
    if (this.#greatest === this.#least) return this.#count * this.#valueAt(this.#first);
    const { step } = this.#source;
    const sum = this.#count * this.#source.at(this.#first) + step * this.#sum;
    return decodedValue(this.#encoding, sum);
  }

  #valueAt(steps: number): number {
    return decodedValue(this.#encoding, this.#source.at(steps));
  }
}

class DoubleZones implements ValueZones {
  readonly #reader: ByteReader;
  readonly #source: FormedValues['source'];
  #count = 0;
  #min = 0;
  #max = 0;
  #sum = 0;
  #first = 0;
  #last = 0;

  constructor(reader: ByteReader, { source }: FormedValues) {
    this.#reader = reader;
    this.#source = source;
  }

  next(count: number): void {
    const reader = this.#reader;
    this.#count = count;
    this.#min = reader.double();
    this.#max = reader.double();
    this.#sum = reader.double();
    this.#first = reader.double();
    this.#last = reader.double();
  }

  resume(): void {
    this.#source.resume(this.#first);
  }

  summary(startTime: number, endTime: number): Summary {
    return {
      count: this.#count,
      startTime,
      endTime,
      min: this.#min,
      max: this.#max,
      sum: this.#sum,
      first: this.#first,
      last: this.#last,
    };
  }
}
