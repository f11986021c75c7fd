import { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { DecodingTable, MAX_SYMBOLS, skipLengths } from './huffman.ts';
import { readIntegers, readIntegersInto } from './integer-reader.ts';
import { KeptZones, totalKept } from './kept-zones.ts';
import { MAX_SHIFT, RANGE_SYMBOLS } from './residual-plan.ts';
import { addLine, sumUp } from './residual-values.ts';
import type { StepTotals } from './step-totals.ts';
import { DIFFERENCES, LINES, MAX_SLOPE, SLOPE_BITS } from './zone-models.ts';
import { MAX_ZONES, ZONE_SIZE, zonesOf } from './zone-size.ts';
import { unpackStreams } from './zone-streams.ts';

/**
 * What the decoding of a column needs. The columns of one role share it, because arrays for each
 * would take longer than decoding the few zones that a chart needs. It holds what its owner read
 * last, within one synchronous call.
 */
export class ColumnRoom {
  owner = 0;
  /** The step before each zone, or the beginning of its line. */
  readonly bases = new Float64Array(MAX_ZONES);
  /** The slopes of lines; 0 for differences. */
  readonly slopes = new Int32Array(MAX_ZONES);
  readonly exceptionCounts = new Float64Array(MAX_ZONES);
  readonly table = new DecodingTable();
}

let columns = 0;
// Scratch space: written before they are read, within one synchronous call.
const slopeRoom = new Float64Array(MAX_ZONES);
const residuals = new Int32Array(ZONE_SIZE);
/** The zone that was opened last: its prediction, and how far it was totalled. */
const openZone = { base: 0, low: 0, slope: 0, next: 0, sum: 0 };
/** The same zone, if it is kept. */
let openKept: Int32Array | undefined;

/** How steps become numbers: `(first + step * s) / divisor`. */
export interface Scale {
  readonly first: number;
  readonly step: number;
  readonly divisor: number;
}

/** The bytes of one column of a zone: the memory that they are in, and two offsets of it. */
export interface BytesOfColumn {
  readonly memory: DataView;
  readonly start: number;
  readonly end: number;
}

/** Reads a column that was written as coded zones. */
export class CodedColumn {
  /** The bytes of each zone. */
  readonly sizes: Float64Array;
  readonly #reader: ByteReader;
  readonly #room: ColumnRoom;
  readonly #count: number;
  readonly #isLines: boolean;
  readonly #low: number;
  readonly #shift: number;
  readonly #lengthsAt: number;
  readonly #basesAt: number;
  #end = 0;
  /** Tells columns apart in their room. */
  readonly #id: number;
  #kept: KeptZones | undefined;

  /** Reads what locates zones; the rest is read when it is needed. */
  constructor(reader: ByteReader, count: number, room: ColumnRoom) {
    const model = reader.byte();
    if (model !== DIFFERENCES && model !== LINES) throw new DamagedChunk('it has no such model');
    columns += 1;
    this.#id = columns;
    this.#reader = reader;
    this.#room = room;
    this.#count = count;
    this.#isLines = model === LINES;
    this.#low = reader.signed();
    this.#shift = reader.byte();
    if (this.#shift > MAX_SHIFT) throw new DamagedChunk('its residuals are too wide');
    this.#lengthsAt = reader.offset;
    skipLengths(reader);
    this.sizes = readIntegers(reader, zonesOf(count));
    this.#basesAt = reader.offset;
  }

  /** The offset of what follows the column. */
  get end(): number {
    this.load();
    return this.#end;
  }

  lengthOf(zone: number): number {
    return Math.min(ZONE_SIZE, this.#count - zone * ZONE_SIZE);
  }

  /** Reads all but the zones themselves into the room, unless it is there. */
  load(): ColumnRoom {
    const room = this.#room;
    if (room.owner === this.#id) return room;
    room.owner = 0;
    const reader = this.#reader;
    const zones = this.sizes.length;
    reader.offset = this.#lengthsAt;
    const symbols = room.table.read(reader, this.#shift);
    reader.offset = this.#basesAt;
    readIntegersInto(reader, zones, room.bases);
    if (this.#isLines) readSlopes(reader, zones, room.slopes);
    else room.slopes.fill(0, 0, zones);
    if (symbols === MAX_SYMBOLS) readIntegersInto(reader, zones, room.exceptionCounts);
    else room.exceptionCounts.fill(0, 0, zones);
    this.#end = reader.offset;
    room.owner = this.#id;
    return room;
  }

  /** Writes `(first + step * s) / divisor` of the steps of a zone, whose bytes are in the memory. */
  decode(zone: number, bytes: BytesOfColumn, into: Float64Array, at: number, scale: Scale): void {
    const { first, step, divisor } = scale;
    const room = this.#unpack(zone, bytes);
    const count = this.lengthOf(zone);
    const base = room.bases[zone] as number;
    if (this.#isLines) {
      const slope = room.slopes[zone] as number;
      addLine(residuals, into, at, count, first + step * (base + this.#low), step, slope, divisor);
    } else {
      sumUp(residuals, into, at, count, first + step * base, step, this.#low, divisor);
    }
  }

  /** Keeps zones that are opened from now on. */
  keepZones(): void {
    this.#kept ??= new KeptZones(this.sizes.length);
  }

  get keptBytes(): number {
    return this.#kept?.bytes ?? 0;
  }

  /** Opens a zone as `open` does, without its bytes. False when it is not kept. */
  openKept(zone: number): boolean {
    openKept = this.#kept?.find(zone);
    if (!openKept) return false;
    openZone.base = this.#kept?.baseOf(zone) ?? 0;
    openZone.next = 0;
    return true;
  }

  /** Opens a zone, of which `total` takes one group of steps after the other. */
  open(zone: number, bytes: BytesOfColumn): void {
    openKept = undefined;
    const room = this.#unpack(zone, bytes);
    const base = room.bases[zone] as number;
    openZone.base = this.#isLines ? base + this.#low : base;
    openZone.low = this.#isLines ? 0 : this.#low;
    openZone.slope = room.slopes[zone] as number;
    openZone.next = 0;
    openZone.sum = 0;
    const stepAt = this.#isLines ? stepOnLine : nextSum;
    openKept = this.#kept?.add(zone, openZone.base, this.lengthOf(zone), stepAt);
    openZone.sum = 0;
  }

  /** Sets the totals of the next steps of the opened zone, those up to `end`, exclusive. */
  total(end: number, into: StepTotals): void {
    if (openKept) {
      totalKept(openKept, openZone.next, end, openZone.base, into);
      openZone.next = end;
    } else if (this.#isLines) totalOnLine(end, into);
    else totalOfSums(end, into);
  }

  #unpack(zone: number, { memory, start, end }: BytesOfColumn): ColumnRoom {
    const room = this.load();
    const count = this.lengthOf(zone);
    const exceptions = room.exceptionCounts[zone] as number;
    if (exceptions > 0) this.#unpackWithExceptions(memory, start, end, count, exceptions);
    else unpackStreams(memory, start, end, count, room.table, this.#shift, residuals);
    return room;
  }

  /** An exception was packed as the end of the range of residuals. */
  #unpackWithExceptions(
    memory: DataView,
    start: number,
    end: number,
    count: number,
    exceptions: number,
  ): void {
    if (exceptions > count) throw new DamagedChunk('it has more exceptions than values');
    const reader = new ByteReader(new Uint8Array(memory.buffer), memory, start, end);
    const far = Array.from({ length: exceptions }, () => reader.signed());
    unpackStreams(memory, reader.offset, end, count, this.#room.table, this.#shift, residuals);
    const marker = RANGE_SYMBOLS << this.#shift;
    let next = 0;
    for (let index = 0; index < count; index += 1) {
      if (residuals[index] !== marker) continue;
      residuals[index] = far[next] ?? 0;
      next += 1;
    }
    if (next !== exceptions) throw new DamagedChunk('a zone in it has other exceptions');
  }
}

function readSlopes(reader: ByteReader, zones: number, into: Int32Array): void {
  readIntegersInto(reader, zones, slopeRoom);
  for (let zone = 0; zone < zones; zone += 1) {
    const slope = slopeRoom[zone] as number;
    if (Math.abs(slope) > MAX_SLOPE) throw new DamagedChunk('a line in it is too steep');
    into[zone] = slope;
  }
}

function stepOnLine(index: number): number {
  return (residuals[index] as number) + (Math.imul(openZone.slope, index) >> SLOPE_BITS);
}

/** Called for one index after the other. */
function nextSum(index: number): number {
  openZone.sum += openZone.low + (residuals[index] as number);
  return openZone.sum;
}

function totalOnLine(end: number, into: StepTotals): void {
  const { slope, next, base } = openZone;
  const first = (residuals[next] as number) + (Math.imul(slope, next) >> SLOPE_BITS);
  let [least, greatest, sum, last] = [first, first, 0, first];
  for (let index = next; index < end; index += 1) {
    last = (residuals[index] as number) + (Math.imul(slope, index) >> SLOPE_BITS);
    // Branches would be hard to predict: a line that rises has a new maximum now and then.
    least = Math.min(least, last);
    greatest = Math.max(greatest, last);
    sum += last;
  }
  openZone.next = end;
  setTotals(into, base, end - next, least, greatest, sum, first, last);
}

function totalOfSums(end: number, into: StepTotals): void {
  const { low, next, base } = openZone;
  let last = openZone.sum;
  const first = last + low + (residuals[next] as number);
  let [least, greatest, sum] = [first, first, 0];
  for (let index = next; index < end; index += 1) {
    last += low + (residuals[index] as number);
    least = Math.min(least, last);
    greatest = Math.max(greatest, last);
    sum += last;
  }
  openZone.next = end;
  openZone.sum = last;
  setTotals(into, base, end - next, least, greatest, sum, first, last);
}

function setTotals(
  into: StepTotals,
  base: number,
  count: number,
  least: number,
  greatest: number,
  sum: number,
  first: number,
  last: number,
): void {
  into.least = base + least;
  into.greatest = base + greatest;
  into.sum = count * base + sum;
  into.first = base + first;
  into.last = base + last;
}
