import type { ByteReader } from './byte-reader.ts';
import { CodedColumn, ColumnRoom, type Scale } from './coded-column-reader.ts';
import { readIntegers } from './integer-reader.ts';
import { pooledDoubles } from './pooled-arrays.ts';
import type { Span } from './span.ts';
import type { SparseColumn } from './sparse-column.ts';
import type { ZoneBytes } from './zone-bytes.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';
import { columnIn, decodeZones } from './zoned-columns.ts';

const room = new ColumnRoom();
/** Scratch space: the times of the zone that was opened last, where they are coded. */
const opened = new Float64Array(ZONE_SIZE);
/** Guesses by the usual distance between times, before a search halves what is left. */
const GUESSES = 3;

/** The times of a chunk, a zone at a time. */
export class ZonedTimes {
  readonly first: number;
  readonly last: number;
  /** The first time of each zone. */
  readonly starts: Float64Array;
  readonly coded: CodedColumn | undefined;
  readonly #sparse: SparseColumn | undefined;
  readonly #scale: Scale;
  readonly #count: number;
  #openedAt = 0;

  constructor(reader: ByteReader, count: number) {
    this.first = reader.double();
    this.#scale = { first: this.first, step: reader.varint(), divisor: 1 };
    this.#count = count;
    const column = columnIn(reader, count, room);
    if (column instanceof CodedColumn) {
      this.coded = column;
      reader.offset = column.end;
      this.starts = readIntegers(reader, zonesOf(count));
      this.last = this.#at(reader.varint());
    } else {
      this.#sparse = column;
      this.starts = pooledDoubles(zonesOf(count));
      column.fillEvery(ZONE_SIZE, this.starts);
      this.last = this.#at(column.stepAt(count - 1));
    }
    for (let zone = 0; zone < this.starts.length; zone += 1) {
      this.starts[zone] = this.#at(this.starts[zone] as number);
    }
  }

  #at(steps: number): number {
    return this.first + this.#scale.step * steps;
  }

  /** The time of the reading before a zone, or an earlier one. */
  beforeZone(zone: number): number {
    if (this.#sparse) return this.#at(this.#sparse.stepNear(zone * ZONE_SIZE - 1));
    return this.starts[zone - 1] as number;
  }

  /** The time of the last reading of a zone, or a later one before the next zone. */
  endOf(zone: number): number {
    return zone + 1 < this.starts.length ? (this.starts[zone + 1] as number) - 1 : this.last;
  }

  /** Prepares `timeAt` and `indexFrom` for the readings of a zone. */
  open(zone: number, bytes: ZoneBytes): void {
    if (!this.coded) return;
    this.decode(zone, bytes, opened, 0);
    this.#openedAt = zone * ZONE_SIZE;
  }

  timeAt(index: number): number {
    if (this.#sparse) return this.#at(this.#sparse.stepNear(index));
    return opened[index - this.#openedAt] as number;
  }

  /** The index of the first reading at or after a time, among those from `start` to `end`. */
  indexFrom(time: number, start: number, end: number): number {
    let [low, high] = [start, end];
    const usual = (this.#sparse?.difference ?? 0) * this.#scale.step;
    let guess = usual > 0 ? low + Math.ceil((time - this.timeAt(low)) / usual) : -1;
    for (let tries = 0; low < high; tries += 1) {
      const isGuessed = tries < GUESSES && guess >= low && guess < high;
      const middle = isGuessed ? guess : (low + high) >>> 1;
      if (this.timeAt(middle) >= time) high = middle;
      else low = middle + 1;
      guess = high === middle ? middle - 1 : low;
    }
    return low;
  }

  decode(zone: number, bytes: ZoneBytes, into: Float64Array, at: number): void {
    const start = zone * ZONE_SIZE;
    const end = Math.min(start + ZONE_SIZE, this.#count);
    this.#sparse?.fill(start, end, into, at, this.#scale);
    if (!this.coded) return;
    this.coded.decode(zone, bytes.times(zone), into, at, this.#scale);
  }

  decodeSpan({ first, end }: Span, bytes: ZoneBytes, into: Float64Array, at: number): void {
    if (this.#sparse) this.#sparse.fill(first, end, into, at, this.#scale);
    else decodeZones(this, { first, end }, bytes, into, at);
  }
}
