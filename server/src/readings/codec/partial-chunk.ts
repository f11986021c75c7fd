import type { BlockVisitor } from './block-visitor.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { type DataPart, ZoneBytes, zoneLayoutIn } from './zone-bytes.ts';
import { listDecodedZones, visitZones } from './zone-visitor.ts';
import { openZonedHead } from './zoned-chunk-header.ts';
import { ZonedNumbers } from './zoned-numbers.ts';
import { ZonedTimes } from './zoned-times.ts';

export type { DataPart } from './zone-bytes.ts';

/** Parts with less between them are read as one. */
const MAX_GAP_BYTES = 512;

/**
 * A chunk of numbers of which only some zones are read: first the head, which tells where the zones
 * are that a query decodes, then these parts of the data.
 */
export class PartialChunk {
  readonly #count: number;
  readonly #times: ZonedTimes;
  readonly #numbers: ZonedNumbers;
  readonly #offsets: Int32Array;
  readonly #zones: ZoneBytes;

  constructor(head: Uint8Array) {
    const { reader, count, dataBytes } = openZonedHead(head);
    this.#count = count;
    this.#times = new ZonedTimes(reader, count);
    this.#numbers = new ZonedNumbers(reader, count);
    const layout = zoneLayoutIn(reader, this.#times, this.#numbers);
    this.#offsets = layout.offsets;
    this.#zones = new ZoneBytes(layout, false);
    if ((this.#offsets.at(-1) ?? 0) > dataBytes) {
      throw new DamagedChunk('its zones are longer than its data');
    }
  }

  /** The parts of the data that visiting the readings within `[from, to]` needs. */
  neededParts(from: number, to: number, visitor: Pick<BlockVisitor, 'summaryEnd'>): DataPart[] {
    const offsets = this.#offsets;
    const parts: { offset: number; length: number }[] = [];
    listDecodedZones(this.#times, from, to, visitor, (zone) => {
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
    return visitZones(visited, from, to, visitor);
  }
}
