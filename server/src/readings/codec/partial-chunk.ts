import type { BlockVisitor } from './block-visitor.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { type DataPart, ZoneBytes, zoneLayoutIn } from './zone-bytes.ts';
import { listDecodedZones, visitZones } from './zone-visitor.ts';
import { dataOf, headBytesOf, openZonedHead } from './zoned-chunk-header.ts';
import { ZonedNumbers } from './zoned-numbers.ts';
import { ZonedTimes } from './zoned-times.ts';

export type { DataPart } from './zone-bytes.ts';

/** Parts with less between them are read as one. */
const MAX_GAP_BYTES = 512;

/** The arrays and objects of a chunk for each of its zones, and beside those, estimated. */
const BYTES_PER_ZONE = 24;
const BYTES_PER_CHUNK = 1_024;

/**
 * A chunk of numbers of which only some zones are read: first the head, which says where the zones
 * are that a query decodes, then these parts of the data. It may be visited repeatedly, and parts may
 * be added between.
 */
export class PartialChunk {
  readonly #head: Uint8Array;
  readonly #count: number;
  readonly #times: ZonedTimes;
  readonly #numbers: ZonedNumbers;
  readonly #offsets: Int32Array;
  readonly #zones: ZoneBytes;
  readonly #isWhole: boolean;
  #isVisited = false;

  /** Takes a head, or a whole chunk, whose data is checked and added then. */
  constructor(bytes: Uint8Array) {
    const head = openZonedHead(bytes);
    const { kind, reader, count, dataBytes } = head;
    if (kind !== 'NUMBER') throw new DamagedChunk(`its kind is ${kind}, not NUMBER`);
    this.#head = bytes.subarray(0, headBytesOf(bytes));
    this.#count = count;
    this.#times = new ZonedTimes(reader, count);
    this.#numbers = new ZonedNumbers(reader, count);
    const layout = zoneLayoutIn(reader, this.#times, this.#numbers);
    this.#offsets = layout.offsets;
    if ((this.#offsets.at(-1) ?? 0) > dataBytes) {
      throw new DamagedChunk('its zones are longer than its data');
    }
    this.#isWhole = bytes.length > this.#head.length;
    this.#zones = new ZoneBytes(layout, this.#isWhole);
    if (this.#isWhole) this.#zones.add({ offset: 0, length: dataBytes }, dataOf(bytes, head));
  }

  /** What it takes in memory, estimated. */
  get bytes(): number {
    const own = BYTES_PER_CHUNK + BYTES_PER_ZONE * this.#offsets.length + this.#head.length;
    return own + this.#zones.bytes + this.#numbers.keptBytes;
  }

  /** The parts of the data that visiting the readings within `[from, to]` needs and that are missing. */
  neededParts(from: number, to: number, visitor: Pick<BlockVisitor, 'summaryEnd'>): DataPart[] {
    if (this.#isWhole) return [];
    const offsets = this.#offsets;
    const parts: { offset: number; length: number }[] = [];
    listDecodedZones(this.#times, from, to, visitor, (zone) => {
      if (this.#zones.has(zone)) return;
      const offset = offsets[zone] ?? 0;
      const end = offsets[zone + 1] ?? 0;
      const last = parts.at(-1);
      if (last && offset - (last.offset + last.length) <= MAX_GAP_BYTES) {
        last.length = end - last.offset;
      } else {
        parts.push({ offset, length: end - offset });
      }
    });
    return parts;
  }

  addPart(part: DataPart, bytes: Uint8Array): void {
    this.#zones.add(part, bytes);
  }

  /** Visits numbers as visitNumbers does, once the needed parts were added. */
  visit(from: number, to: number, visitor: BlockVisitor): number {
    const visited = {
      count: this.#count,
      times: this.#times,
      numbers: this.#numbers,
      zones: this.#zones,
    };
    // What is visited again is likely to be visited often.
    if (this.#isVisited) this.#numbers.keep();
    this.#isVisited = true;
    return visitZones(visited, from, to, visitor);
  }
}
