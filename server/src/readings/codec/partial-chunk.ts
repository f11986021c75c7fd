import type { BlockVisitor } from './block-visitor.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { checkedZones, type ZoneLayout, zoneLayoutIn } from './zone-bytes.ts';
import { listDecodedZones, visitZones } from './zone-visitor.ts';
import { openZonedHead } from './zoned-chunk-header.ts';
import { ZonedNumbers, ZonedTimes } from './zoned-columns.ts';

/** A part of the data of a chunk. */
export interface DataPart {
  readonly offset: number;
  readonly length: number;
}

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
  readonly #layout: ZoneLayout;
  readonly #read: (DataPart & { readonly bytes: Uint8Array })[] = [];

  constructor(head: Uint8Array) {
    const { reader, count, dataBytes } = openZonedHead(head);
    this.#count = count;
    this.#times = new ZonedTimes(reader, count);
    this.#numbers = new ZonedNumbers(reader, count);
    this.#layout = zoneLayoutIn(reader, this.#times, this.#numbers);
    if ((this.#layout.offsets.at(-1) ?? 0) > dataBytes) {
      throw new DamagedChunk('its zones are longer than its data');
    }
  }

  /** The parts of the data that visiting the readings within `[from, to]` needs. */
  neededParts(
    from: number,
    to: number,
    visitor: Pick<BlockVisitor, 'summarySuffices'>,
  ): DataPart[] {
    const { offsets } = this.#layout;
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

  addPart({ offset, length }: DataPart, bytes: Uint8Array): void {
    if (bytes.length !== length) throw new DamagedChunk('it ends too early');
    this.#read.push({ offset, length, bytes });
  }

  #bytes(start: number, end: number): Uint8Array {
    const part = this.#read.find(({ offset, length }) => offset <= start && end <= offset + length);
    if (!part) throw new DamagedChunk('a zone of it was not read');
    return part.bytes.subarray(start - part.offset, end - part.offset);
  }

  /** Visits numbers as visitNumbers does, once the needed parts were added. */
  visit(from: number, to: number, visitor: BlockVisitor): number {
    const zones = checkedZones(this.#layout, (start, end) => this.#bytes(start, end));
    const visited = { count: this.#count, times: this.#times, numbers: this.#numbers, zones };
    return visitZones(visited, from, to, visitor);
  }
}
