import type { ByteReader } from './byte-reader.ts';
import { CodedColumn, type Scale } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import {
  type DecimalEncoding,
  decimalEncodingWithCode,
  decodedValue,
  decodeInPlace,
} from './decimal-encoding.ts';
import { readIntegers } from './integer-reader.ts';
import { pooledDoubles } from './pooled-doubles.ts';
import type { Span } from './span.ts';
import { SparseColumn } from './sparse-column.ts';
import { ZoneMap, type ZoneTotals } from './zone-map.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';
import { CODED, SPARSE } from './zoned-chunk-header.ts';

/** The bytes of one column of one zone. */
type BytesOfZone = (zone: number) => Uint8Array;

function columnIn(reader: ByteReader, count: number): SparseColumn | CodedColumn {
  const form = reader.byte();
  if (form === SPARSE) return new SparseColumn(reader, count);
  if (form === CODED) return new CodedColumn(reader, count);
  throw new DamagedChunk('a column in it has an unknown form');
}

interface Decodable {
  decode(zone: number, bytesOf: BytesOfZone, into: Float64Array, at: number): void;
}

// Scratch space: written before it is read, within one synchronous call.
const room = new Float64Array(ZONE_SIZE);

/** Decodes whole zones in place, and those that a span cuts through scratch space. */
function decodeZones(
  column: Decodable,
  { first, end }: Span,
  bytesOf: BytesOfZone,
  into: Float64Array,
  at: number,
): void {
  for (let index = first; index < end; ) {
    const zone = Math.floor(index / ZONE_SIZE);
    const start = zone * ZONE_SIZE;
    const stop = Math.min(start + ZONE_SIZE, end);
    const target = at + index - first;
    if (index === start && stop === start + ZONE_SIZE) {
      column.decode(zone, bytesOf, into, target);
    } else {
      column.decode(zone, bytesOf, room, 0);
      for (let each = index; each < stop; each += 1) {
        into[target + each - index] = room[each - start] as number;
      }
    }
    index = stop;
  }
}

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

  constructor(reader: ByteReader, count: number) {
    this.first = reader.double();
    this.#scale = { first: this.first, step: reader.varint(), divisor: 1 };
    this.#count = count;
    const column = columnIn(reader, count);
    if (column instanceof CodedColumn) {
      this.coded = column;
      this.starts = readIntegers(reader, zonesOf(count));
      for (let zone = 0; zone < this.starts.length; zone += 1) {
        this.starts[zone] = this.#at(this.starts[zone] as number);
      }
      this.last = this.#at(reader.varint());
    } else {
      this.#sparse = column;
      this.starts = pooledDoubles(zonesOf(count));
      for (let zone = 0; zone < this.starts.length; zone += 1) {
        this.starts[zone] = this.#at(column.stepAt(zone * ZONE_SIZE));
      }
      this.last = this.#at(column.stepAt(count - 1));
    }
  }

  #at(steps: number): number {
    return this.first + this.#scale.step * steps;
  }

  /** The time of the reading before a zone, or an earlier one. */
  beforeZone(zone: number): number {
    if (this.#sparse) return this.#at(this.#sparse.stepAt(zone * ZONE_SIZE - 1));
    return this.starts[zone - 1] as number;
  }

  /** The time of the last reading of a zone, or a later one before the next zone. */
  endOf(zone: number): number {
    return zone + 1 < this.starts.length ? (this.starts[zone + 1] as number) - 1 : this.last;
  }

  decode(zone: number, bytesOf: BytesOfZone, into: Float64Array, at: number): void {
    const start = zone * ZONE_SIZE;
    const end = Math.min(start + ZONE_SIZE, this.#count);
    this.#sparse?.fill(start, end, into, at, this.#scale);
    this.coded?.decode(zone, bytesOf(zone), into, at, this.#scale);
  }

  decodeSpan({ first, end }: Span, bytesOf: BytesOfZone, into: Float64Array, at: number): void {
    if (this.#sparse) this.#sparse.fill(first, end, into, at, this.#scale);
    else decodeZones(this, { first, end }, bytesOf, into, at);
  }
}

/** The numbers of a chunk, a zone at a time. */
export class ZonedNumbers {
  readonly coded: CodedColumn | undefined;
  readonly first: number;
  readonly last: number;
  readonly #sparse: SparseColumn | undefined;
  readonly #map: ZoneMap | undefined;
  readonly #encoding: DecimalEncoding;
  /** Whether scaling is all that decimals need. */
  readonly #isDivided: boolean;
  readonly #scale: Scale;
  readonly #count: number;

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
    const column = columnIn(reader, count);
    if (column instanceof CodedColumn) {
      this.coded = column;
      this.#map = new ZoneMap(reader, column, { encoding, first, step });
      this.last = this.#valueAt(reader.signed());
    } else {
      this.#sparse = column;
      this.last = this.#valueAt(column.stepAt(count - 1));
    }
  }

  #valueAt(number: number): number {
    return decodedValue(this.#encoding, this.#scale.first + this.#scale.step * number);
  }

  #endOf(zone: number): number {
    return Math.min((zone + 1) * ZONE_SIZE, this.#count);
  }

  decode(zone: number, bytesOf: BytesOfZone, into: Float64Array, at: number): void {
    const start = zone * ZONE_SIZE;
    const end = this.#endOf(zone);
    this.#sparse?.fill(start, end, into, at, this.#scale);
    this.coded?.decode(zone, bytesOf(zone), into, at, this.#scale);
    if (!this.#isDivided) decodeInPlace(this.#encoding, into, at, at + end - start);
  }

  decodeSpan(span: Span, bytesOf: BytesOfZone, into: Float64Array, at: number): void {
    const { first, end } = span;
    if (!this.#sparse) {
      decodeZones(this, span, bytesOf, into, at);
      return;
    }
    this.#sparse.fill(first, end, into, at, this.#scale);
    if (!this.#isDivided) decodeInPlace(this.#encoding, into, at, at + end - first);
  }

  /** The totals of the zones from `zone` to `end`, exclusive. */
  totals(zone: number, end: number): ZoneTotals {
    if (this.#map) return this.#map.totals(zone, end);
    const stop = Math.min(end * ZONE_SIZE, this.#count);
    const steps = this.#sparse?.totals(zone * ZONE_SIZE, stop);
    if (steps && (!this.#encoding.isSingle || steps.least === steps.greatest)) {
      const count = stop - zone * ZONE_SIZE;
      const { first, step } = this.#scale;
      const [min, max] = [this.#valueAt(steps.least), this.#valueAt(steps.greatest)];
      if (min === max) return { min, max, sum: count * min };
      return { min, max, sum: decodedValue(this.#encoding, count * first + step * steps.sum) };
    }
    return this.#decodedTotals(zone, end);
  }

  #decodedTotals(zone: number, end: number): ZoneTotals {
    let [min, max, sum] = [Infinity, -Infinity, 0];
    for (let each = zone; each < end; each += 1) {
      this.decode(each, () => new Uint8Array(), room, 0);
      for (let index = 0; index < this.#endOf(each) - each * ZONE_SIZE; index += 1) {
        const value = room[index] as number;
        if (value < min) min = value;
        if (value > max) max = value;
        sum += value;
      }
    }
    return { min, max, sum };
  }
}
