import type { ByteReader } from './byte-reader.ts';
import { CodedColumn, ColumnRoom, type Scale } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import {
  type DecimalEncoding,
  decimalEncodingWithCode,
  decodedValue,
  decodeInPlace,
} from './decimal-encoding.ts';
import type { Span } from './span.ts';
import type { SparseColumn } from './sparse-column.ts';
import type { MutableSummary } from './summary.ts';
import type { ZoneBytes } from './zone-bytes.ts';
import { SUMMED_LIMIT, ZoneMap } from './zone-map.ts';
import { ZONE_SIZE } from './zone-size.ts';
import { columnIn, decodeZones } from './zoned-columns.ts';

const room = new ColumnRoom();
// Scratch space: written before they are read, within one synchronous call.
const values = new Float64Array(ZONE_SIZE);
const steps = { least: 0, greatest: 0, sum: 0, first: 0, last: 0 };

/** The numbers of a chunk, a zone at a time. */
export class ZonedNumbers {
  readonly coded: CodedColumn | undefined;
  readonly first: number;
  readonly #sparse: SparseColumn | undefined;
  readonly #map: ZoneMap | undefined;
  readonly #encoding: DecimalEncoding;
  /** Whether scaling is all that decimals need. */
  readonly #isDivided: boolean;
  readonly #scale: Scale;
  readonly #count: number;
  #openedAt = 0;
  /** The end of the readings of the opened zone that were totalled. */
  #totalled = 0;

  /** The values of a coded column are read when they are needed: the reader is not at their end. */
  constructor(reader: ByteReader, count: number) {
    const encoding = decimalEncodingWithCode(reader.byte());
    if (!encoding) throw new DamagedChunk('its values have an unknown form');
    this.#encoding = encoding;
    const first = reader.signed();
    const step = reader.varint();
    this.#isDivided = encoding.factor === 1 && !encoding.isSingle;
    this.#scale = { first, step, divisor: this.#isDivided ? encoding.divisor : 1 };
    this.#count = count;
    this.first = decodedValue(encoding, first);
    const column = columnIn(reader, count, room);
    if (column instanceof CodedColumn) {
      this.coded = column;
      this.#map = new ZoneMap(reader, column, { encoding, first, step });
    } else {
      this.#sparse = column;
    }
  }

  /** The last value of the chunk. */
  get last(): number {
    return this.#map?.last ?? this.#valueAt(this.#sparse?.stepAt(this.#count - 1) ?? 0);
  }

  #valueAt(steps: number): number {
    return decodedValue(this.#encoding, this.#scale.first + this.#scale.step * steps);
  }

  #endOf(zone: number): number {
    return Math.min((zone + 1) * ZONE_SIZE, this.#count);
  }

  decode(zone: number, bytes: ZoneBytes, into: Float64Array, at: number): void {
    const start = zone * ZONE_SIZE;
    const end = this.#endOf(zone);
    this.#sparse?.fill(start, end, into, at, this.#scale);
    this.coded?.decode(zone, bytes.values(zone), into, at, this.#scale);
    if (!this.#isDivided) decodeInPlace(this.#encoding, into, at, at + end - start);
  }

  decodeSpan(span: Span, bytes: ZoneBytes, into: Float64Array, at: number): void {
    const { first, end } = span;
    if (!this.#sparse) {
      decodeZones(this, span, bytes, into, at);
      return;
    }
    this.#sparse.fill(first, end, into, at, this.#scale);
    if (!this.#isDivided) decodeInPlace(this.#encoding, into, at, at + end - first);
  }

  /** Keeps the totals of zones, and zones that are opened, for the next visit. */
  keep(): void {
    this.coded?.keepZones();
    this.#map?.keep();
  }

  get keptBytes(): number {
    return (this.coded?.keptBytes ?? 0) + (this.#map?.keptBytes ?? 0);
  }

  /** Prepares `total` for the readings of a zone. */
  open(zone: number, bytes: ZoneBytes): void {
    if (this.coded && !this.coded.openKept(zone)) this.coded.open(zone, bytes.values(zone));
    this.#openedAt = zone * ZONE_SIZE;
    this.#totalled = this.#openedAt;
  }

  /**
   * Sets the totals of the readings from `start` to `end`, exclusive, of the opened zone. False when
   * their steps do not give an exact sum. Groups of readings follow each other in time.
   */
  total(start: number, end: number, into: MutableSummary): boolean {
    if (this.#encoding.isSingle) return false;
    if (this.coded && start > this.#totalled) this.coded.total(start - this.#openedAt, steps);
    this.#totalled = end;
    if (this.coded) this.coded.total(end - this.#openedAt, steps);
    else if (!this.#sparse?.total(start, end, steps)) return false;
    const encoding = this.#encoding;
    const { first, step } = this.#scale;
    const [least, greatest] = [first + step * steps.least, first + step * steps.greatest];
    if (Math.max(-least, greatest) > SUMMED_LIMIT) return false;
    into.min = decodedValue(encoding, least);
    into.max = decodedValue(encoding, greatest);
    into.sum = decodedValue(encoding, (end - start) * first + step * steps.sum);
    into.first = decodedValue(encoding, first + step * steps.first);
    into.last = decodedValue(encoding, first + step * steps.last);
    return true;
  }

  /** Sets the totals of the zones from `zone` to `end`, exclusive. */
  totalZones(zone: number, end: number, into: MutableSummary): void {
    if (this.#map) this.#map.total(zone, end, into);
    else if (!this.#totalSparse(zone, end, into)) this.#totalDecoded(zone, end, into);
  }

  /** False when steps do not give an exact sum. */
  #totalSparse(zone: number, end: number, into: MutableSummary): boolean {
    const start = zone * ZONE_SIZE;
    const stop = Math.min(end * ZONE_SIZE, this.#count);
    if (!this.#sparse?.total(start, stop, steps)) return false;
    if (this.#encoding.isSingle && steps.least !== steps.greatest) return false;
    const { first, step } = this.#scale;
    into.min = this.#valueAt(steps.least);
    into.max = this.#valueAt(steps.greatest);
    into.sum =
      into.min === into.max
        ? (stop - start) * into.min
        : decodedValue(this.#encoding, (stop - start) * first + step * steps.sum);
    return true;
  }

  /** Of a sparse column, which has no zones in the data. */
  #totalDecoded(zone: number, end: number, into: MutableSummary): void {
    let [min, max, sum] = [Infinity, -Infinity, 0];
    for (let each = zone; each < end; each += 1) {
      const count = this.#endOf(each) - each * ZONE_SIZE;
      this.#sparse?.fill(each * ZONE_SIZE, this.#endOf(each), values, 0, this.#scale);
      if (!this.#isDivided) decodeInPlace(this.#encoding, values, 0, count);
      for (let index = 0; index < count; index += 1) {
        const value = values[index] as number;
        if (value < min) min = value;
        if (value > max) max = value;
        sum += value;
      }
    }
    into.min = min;
    into.max = max;
    into.sum = sum;
  }
}
