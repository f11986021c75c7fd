import type { ByteReader } from './byte-reader.ts';
import type { BytesOfColumn, CodedColumn } from './coded-column-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { pooledIntegers } from './pooled-arrays.ts';
import { zoneChecksumOf } from './zoned-chunk-header.ts';

const CHECKSUM_BYTES = 2;
/** Offsets are integers of 32 bits. */
const MAX_DATA_BYTES = 2 ** 31 - 1;
const NO_MEMORY: DataView = new DataView(new ArrayBuffer(0));

/** Where the bytes of zones are. Those of a zone are the bytes of its times, then of its values. */
export interface ZoneLayout {
  /** The offset in the data at which each zone begins, and the end of the last. */
  readonly offsets: Int32Array;
  readonly timeSizes: Float64Array | undefined;
  /** The head, and where the checksums of zones are in it. */
  readonly head: DataView;
  readonly checksumsAt: number;
}

interface MaybeCoded {
  readonly coded: Pick<CodedColumn, 'sizes'> | undefined;
}

/** The layout of zones, by the head of a chunk; it has none where no column is coded. */
export function zoneLayoutIn(
  reader: ByteReader,
  times: MaybeCoded,
  numbers: MaybeCoded | undefined,
): ZoneLayout {
  const timeSizes = times.coded?.sizes;
  const valueSizes = numbers?.coded?.sizes;
  const zones = timeSizes?.length ?? valueSizes?.length ?? 0;
  const offsets = pooledIntegers(zones + 1);
  offsets[0] = 0;
  for (let zone = 0; zone < zones; zone += 1) {
    const ofTimes = timeSizes?.[zone] ?? 0;
    const ofValues = valueSizes?.[zone] ?? 0;
    if (ofTimes < 0 || ofValues < 0) throw new DamagedChunk('a zone in it has no length');
    const end = (offsets[zone] as number) + ofTimes + ofValues;
    if (end > MAX_DATA_BYTES) throw new DamagedChunk('a zone in it is too long');
    offsets[zone + 1] = end;
  }
  // The values of numbers, which precede the checksums, are not read to their end yet.
  if (numbers) reader.offset = Math.max(reader.offset, reader.end - CHECKSUM_BYTES * zones);
  const checksumsAt = reader.take(CHECKSUM_BYTES * zones);
  return { offsets, timeSizes, head: reader.view, checksumsAt };
}

/** A part of the data of a chunk. */
export interface DataPart {
  readonly offset: number;
  readonly length: number;
}

interface ReadPart extends DataPart {
  readonly bytes: Uint8Array;
  /** All of the memory that the bytes are in: a zone is decoded where it is. */
  readonly memory: DataView;
}

/** The bytes of one zone at a time. */
export class ZoneBytes {
  readonly #layout: ZoneLayout;
  readonly #parts: ReadPart[] = [];
  /** Whether all of the data was checked: otherwise each zone is checked when it is located. */
  readonly #isChecked: boolean;
  #zone = -1;
  #next = 0;
  readonly #located = { memory: NO_MEMORY, start: 0, end: 0 };

  constructor(layout: ZoneLayout, isChecked: boolean) {
    this.#layout = layout;
    this.#isChecked = isChecked;
  }

  add({ offset, length }: DataPart, bytes: Uint8Array): void {
    if (bytes.length !== length) throw new DamagedChunk('it ends too early');
    this.#parts.push({ offset, length, bytes, memory: new DataView(bytes.buffer) });
  }

  /** The size of the data that was added. */
  get bytes(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the bytes of a zone were added, or it has none. */
  has(zone: number): boolean {
    const { offsets } = this.#layout;
    const from = offsets[zone] ?? 0;
    const to = offsets[zone + 1] ?? from;
    if (from === to) return true;
    return this.#parts.some(({ offset, length }) => offset <= from && to <= offset + length);
  }

  /** The bytes of the times of a zone. The object is reused. */
  times(zone: number): BytesOfColumn {
    const { offsets, timeSizes } = this.#layout;
    const from = offsets[zone] as number;
    return this.#locate(zone, from, from + (timeSizes?.[zone] ?? 0));
  }

  /** The same of its values. */
  values(zone: number): BytesOfColumn {
    const { offsets, timeSizes } = this.#layout;
    const from = (offsets[zone] as number) + (timeSizes?.[zone] ?? 0);
    return this.#locate(zone, from, offsets[zone + 1] as number);
  }

  #locate(zone: number, from: number, to: number): BytesOfColumn {
    const part = this.#partWith(from, to);
    if (!this.#isChecked && zone !== this.#zone) this.#check(zone, part);
    this.#zone = zone;
    const located = this.#located;
    const shift = part.bytes.byteOffset - part.offset;
    located.memory = part.memory;
    located.start = from + shift;
    located.end = to + shift;
    return located;
  }

  /** Zones are located in order, so that the search begins where the last one was found. */
  #partWith(from: number, to: number): ReadPart {
    const parts = this.#parts;
    for (let tried = 0; tried < parts.length; tried += 1) {
      const part = parts[this.#next] as ReadPart;
      if (part.offset <= from && to <= part.offset + part.length) return part;
      this.#next = (this.#next + 1) % parts.length;
    }
    throw new DamagedChunk('a zone of it was not read');
  }

  #check(zone: number, { bytes, offset }: ReadPart): void {
    const { offsets, head, checksumsAt } = this.#layout;
    const [from, to] = [offsets[zone] as number, offsets[zone + 1] as number];
    const checksum = zoneChecksumOf(bytes.subarray(from - offset, to - offset));
    if (checksum === head.getUint16(checksumsAt + CHECKSUM_BYTES * zone, true)) return;
    throw new DamagedChunk('the checksum of a zone does not match');
  }
}

/** The zones of a chunk whose data is whole and checked. */
export function zonesIn(layout: ZoneLayout, data: Uint8Array): ZoneBytes {
  if ((layout.offsets.at(-1) ?? 0) > data.length) throw new DamagedChunk('it ends too early');
  const zones = new ZoneBytes(layout, true);
  zones.add({ offset: 0, length: data.length }, data);
  return zones;
}
