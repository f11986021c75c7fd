import type { ArchivedScope, DeviceType } from '@fieldwatch/contract';
import type { DevicePresence, Presence } from '../../presence/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import type { PageRequest } from '../../storage/index.ts';
import { deviceRecord, masked, OFFLINE } from '../device.ts';
import { NameIndex } from './name-index.ts';
import { asciiJson, type RecordText, RecordTexts } from './record-texts.ts';
import type { SearchedRow } from './store.ts';

export interface SearchQuery {
  /** Folded like the names. */
  readonly search: string;
  readonly types: readonly DeviceType[] | null;
  readonly archivedScope: ArchivedScope;
}

/** A page of Devices: how many match in all, and the positions of those on the page. */
export interface FoundPage {
  readonly count: number;
  readonly positions: readonly number[];
}

const TYPES: readonly DeviceType[] = [
  'CONTROLCOM_GATEWAY',
  'CUSTOM_DEVICE',
  'LORAWAN_GATEWAY_CLOUD',
  'LORAWAN_GATEWAY_EDGE',
  'LORAWAN_DEVICE',
];

// The flags of a Device; its type has the lowest bits, one for each type.
const ACTIVE = 1 << 5;
const ARCHIVED = 1 << 6;
const ONLINE = 1 << 7;
const WITH_KEY = 1 << 8;
/** Its name is not the one in the index of names: it is compared with every search. */
const RENAMED = 1 << 9;

const ID_START = '{"id":"'.length;
const ID_LENGTH = 36;
const TRUE = asciiJson('true');
const FALSE = asciiJson('false');
const NULL = asciiJson('null');
const MAX_VALUE_BYTES = 40;

/** Replies are put together here: a buffer for each costs more than the copy. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The Devices of one organization in memory, to find a page by a part of the name. Positions below
 * `#sorted` are in the order of the list; Devices that are added later follow in any order.
 */
export class OrganizationIndex {
  /** By position: the folded name; empty when the Device was deleted. */
  readonly #names: string[] = [];
  readonly #idHashes: number[] = [];
  readonly #flags: number[] = [];
  readonly #createdMicros: number[] = [];
  readonly #lastSeen: number[] = [];
  readonly #onlineMinutes: number[] = [];
  /** The place of the record in `#texts`. */
  readonly #places: number[] = [];
  readonly #texts = new RecordTexts();
  /** The Devices and Locations that a Device of this organization refers to. */
  readonly #references = new Set<string>();
  /** Devices that are not found by the index of names. */
  readonly #unindexed = new Set<number>();
  #nameIndex: NameIndex | undefined;
  #sorted = 0;

  /** How many bytes the records take; the rest is about a third of that. */
  get bytes(): number {
    return this.#texts.bytes;
  }

  isReferredTo(id: string): boolean {
    return this.#references.has(id);
  }

  /** Adds a Device in the order of the list. */
  append(row: SearchedRow): void {
    this.#set(this.#names.length, row);
  }

  /** Ends the appending in order. Yields often enough that other work can run in between. */
  *indexNames(): Generator<undefined, void> {
    this.#nameIndex = yield* NameIndex.build(this.#names);
    this.#sorted = this.#names.length;
  }

  /** Adds a Device, or replaces its record. */
  put(row: SearchedRow): void {
    const known = this.#find(row.id);
    const position = known < 0 ? this.#names.length : known;
    if (this.#names[position] !== row.nameFolded) this.#unindexed.add(position);
    this.#set(position, row);
  }

  remove(deviceId: string): void {
    const position = this.#find(deviceId);
    if (position < 0) return;
    this.#names[position] = '';
    this.#flags[position] = 0;
    this.#unindexed.delete(position);
  }

  #set(position: number, row: SearchedRow): void {
    this.#names[position] = row.nameFolded;
    this.#idHashes[position] = hashOf(row.id);
    this.#createdMicros[position] = row.createdMicros;
    this.#lastSeen[position] = row.lastSeenAt ?? 0;
    this.#onlineMinutes[position] = row.onlineMinutes ?? row.learnedOnlineMinutes ?? -1;
    this.#places[position] = this.#texts.add(textOf(row));
    this.#flags[position] =
      (1 << TYPES.indexOf(row.type)) |
      (row.archivedAt === null ? ACTIVE : ARCHIVED) |
      (row.isOnline ? ONLINE : 0) |
      (row.encryptedAppKey === null ? 0 : WITH_KEY) |
      (this.#unindexed.has(position) ? RENAMED : 0);
    for (const id of [row.parentDeviceId, row.locationId])
      if (id !== null) this.#references.add(id);
  }

  #find(deviceId: string): number {
    const hash = hashOf(deviceId);
    let position = this.#idHashes.indexOf(hash);
    while (position >= 0 && this.#idAt(position) !== deviceId) {
      position = this.#idHashes.indexOf(hash, position + 1);
    }
    return position;
  }

  #idAt(position: number): string {
    return this.#texts.ascii(this.#places[position] as number, ID_START, ID_START + ID_LENGTH);
  }

  find({ search, types, archivedScope }: SearchQuery, { skip, take }: PageRequest): FoundPage {
    const typeBits = (types ?? TYPES).reduce((bits, type) => bits | (1 << TYPES.indexOf(type)), 0);
    const scopeBits = { active: ACTIVE, archived: ARCHIVED, all: ACTIVE | ARCHIVED }[archivedScope];
    const isFound = (position: number) => {
      const flags = this.#flags[position] as number;
      if ((flags & typeBits) === 0 || (flags & scopeBits) === 0) return false;
      return (this.#names[position] as string).includes(search);
    };
    const found: number[] = [];
    const candidates = this.#nameIndex?.candidates(search);
    const end = candidates ? candidates.length : this.#sorted;
    for (let at = 0; at < end; at += 1) {
      const position = candidates ? (candidates[at] as number) : at;
      const isIndexed = ((this.#flags[position] as number) & RENAMED) === 0;
      if (isIndexed && isFound(position)) found.push(position);
    }
    const indexed = found.length;
    for (const position of this.#unindexed) if (isFound(position)) found.push(position);
    if (found.length > indexed) found.sort((one, other) => this.#compare(one, other));
    return { count: found.length, positions: found.slice(skip, skip + take) };
  }

  /** The order of the list: newest first. */
  #compare(one: number, other: number): number {
    const later = (this.#createdMicros[other] as number) - (this.#createdMicros[one] as number);
    if (later !== 0) return later;
    return this.#idAt(one) < this.#idAt(other) ? 1 : -1;
  }

  hasKeys({ positions }: FoundPage): boolean {
    return positions.some((position) => ((this.#flags[position] as number) & WITH_KEY) !== 0);
  }

  /** The reply with this page. */
  json({ count, positions }: FoundPage, presenceOf: Presence['of']): string {
    const head = `{"count":${count},"items":[`;
    const length = positions.reduce(
      (sum, position) => sum + this.#texts.lengthOf(this.#places[position] as number),
      head.length + positions.length * (MAX_VALUE_BYTES + 1) + 2,
    );
    if (length > scratch.length) scratch = Buffer.allocUnsafeSlow(2 * length);
    const bytes = scratch;
    const view = new DataView(bytes.buffer);
    let at = bytes.write(head, 'latin1');
    for (const [index, position] of positions.entries()) {
      if (index > 0) bytes[at++] = 0x2c;
      const place = this.#places[position] as number;
      at = this.#texts.write(place, valuesOf(presenceOf(this.#storedAt(position))), view, at);
    }
    at += bytes.write(']}', at, 'latin1');
    return bytes.toString('utf8', 0, at);
  }

  #storedAt(position: number) {
    const lastSeen = this.#lastSeen[position] as number;
    const onlineMinutes = this.#onlineMinutes[position] as number;
    return {
      id: this.#idAt(position),
      lastSeenAt: lastSeen === 0 ? null : lastSeen,
      isOnline: ((this.#flags[position] as number) & ONLINE) !== 0,
      onlineMinutes: onlineMinutes < 0 ? null : onlineMinutes,
    };
  }
}

/** 32 bits of the random part of an id. */
function hashOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) | 0;
}

/** The record as every caller sees it, without presence and with its key masked. */
function textOf(row: SearchedRow): RecordText {
  const text = JSON.stringify(deviceRecord(row, OFFLINE, masked));
  // Within a text both quotes of such a name would be escaped.
  const [head, behind] = divided(text, '"isOnline":', 'false');
  const [middle, tail] = divided(behind, '"lastSeenDateTime":', 'null');
  return [head, middle, tail];
}

function divided(text: string, name: string, value: string): readonly [string, string] {
  const at = text.indexOf(name + value) + name.length;
  return [text.slice(0, at), text.slice(at + value.length)];
}

function valuesOf({ isOnline, lastSeenAt }: DevicePresence) {
  const seen = lastSeenAt === null ? NULL : asciiJson(`"${isoDateTime(lastSeenAt)}"`);
  return [isOnline ? TRUE : FALSE, seen] as const;
}
