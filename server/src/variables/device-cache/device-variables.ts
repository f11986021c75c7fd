import type { VariableType } from '@fieldwatch/contract';
import { BoundedMap, uuidOf } from '../../runtime/index.ts';
import type { VariableRef } from '../ref.ts';
import type { CachedDeviceRow } from './store.ts';

/*
 * With a million Variables in the cache, each byte of one is a megabyte. Paths and their positions are
 * stored once for all Devices that have the same ones, and the rest of a Variable as bytes. An object
 * of it lives as long as the reading that it was made for.
 */

/** The Variables of a Device by their paths. */
export interface VariablesByPath {
  readonly size: number;
  /**
   * `before` is the Variable of the sample before: messages repeat their order of keys. `made` holds
   * the Variables of a message with many readings of each, and none of them is made again.
   */
  get(
    path: string,
    before?: CachedVariable,
    made?: (CachedVariable | undefined)[],
  ): CachedVariable | undefined;
}

export interface CachedVariable extends VariableRef {
  /** Its place among the Variables of its Device, in the order of their paths. */
  readonly position?: number;
}

/** The paths of the Variables of a Device. */
class Layout {
  readonly paths: readonly string[];
  readonly #positions: ReadonlyMap<string, number>;
  /** By position: the one that followed it last time. The last element is the one that came first. */
  readonly #followers: number[];

  constructor(paths: readonly string[]) {
    this.paths = paths.map(interned);
    this.#positions = new Map(this.paths.map((path, position) => [path, position]));
    this.#followers = Array.from({ length: paths.length + 1 }, () => 0);
  }

  /** The position of a path; undefined where no Variable has it. */
  positionOf(path: string, before = this.paths.length): number | undefined {
    const expected = this.#followers[before] as number;
    if (this.paths[expected] === path) return expected;
    const position = this.#positions.get(path);
    if (position !== undefined) this.#followers[before] = position;
    return position;
  }
}

const MAX_LAYOUTS = 256;

/** The layouts that were used last, by their paths. A Device keeps its own beyond that. */
export class Layouts {
  readonly #layouts = new BoundedMap<string, Layout>(MAX_LAYOUTS);

  /** The layout of paths in this order. */
  of(paths: readonly string[]): Layout {
    const key = JSON.stringify(paths);
    const layout = this.#layouts.get(key) ?? new Layout(paths);
    this.#layouts.set(key, layout);
    return layout;
  }
}

/**
 * The interned copy of a path that keys of objects use. Thousands of Devices share a few paths, and
 * the keys of a parsed payload are compared with them by reference.
 */
function interned(path: string): string {
  const [key = path] = Object.keys({ [path]: true });
  return key;
}

// The bytes of a Variable: its series id, its kind, and its id.
const KIND_AT = 4;
const ID_AT = 5;
const VARIABLE_BYTES = 21;

/** One copy of each name of a type, so that names are compared by reference. */
const TYPES = ['NUMBER', 'STRING', 'BOOLEAN'] as const;
const TYPE_MASK = 3;
const LOGGING_FLAG = 4;
const KIND_BITS = 3;

type VariableRow = CachedDeviceRow['variables'][number];

function bytesOf({ seriesId, type, isLoggingEnabled, id }: VariableRow): Buffer {
  const bytes = Buffer.alloc(VARIABLE_BYTES);
  bytes.writeUInt32BE(seriesId, 0);
  bytes[KIND_AT] = TYPES.indexOf(type) | (isLoggingEnabled ? LOGGING_FLAG : 0);
  bytes.write(id.replaceAll('-', ''), ID_AT, 'hex');
  return bytes;
}

interface Owner {
  readonly deviceId: string;
  readonly organizationId: string;
}

/** The Variables of one Device in the order of their layout. */
export class DeviceVariables implements VariablesByPath {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly #layout: Layout;
  /** A character for each byte: strings have the smallest overhead of all byte arrays. */
  readonly #bytes: string;
  /** By position, restored at the first use: most Variables are in no live stream. */
  #ids: (string | undefined)[] | undefined = undefined;

  constructor(owner: Owner, rows: CachedDeviceRow['variables'], layouts: Layouts) {
    const sorted = rows.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    this.deviceId = owner.deviceId;
    this.organizationId = owner.organizationId;
    this.#layout = layouts.of(sorted.map(({ path }) => path));
    this.#bytes = Buffer.concat(sorted.map(bytesOf)).toString('latin1');
  }

  get size(): number {
    return this.#layout.paths.length;
  }

  get(
    path: string,
    before?: CachedVariable,
    made?: (CachedVariable | undefined)[],
  ): CachedVariable | undefined {
    const position = this.#layout.positionOf(path, before?.position);
    if (position === undefined) return undefined;
    const variable = made?.[position] ?? this.#at(position);
    if (made !== undefined) made[position] = variable;
    return variable;
  }

  #at(position: number): CachedVariable {
    const at = VARIABLE_BYTES * position;
    const kind = this.#bytes.charCodeAt(at + KIND_AT);
    return new VariableOfDevice(this, position, this.#seriesIdAt(at), kind);
  }

  #seriesIdAt(at: number): number {
    const bytes = this.#bytes;
    const low =
      (bytes.charCodeAt(at + 1) << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
    return bytes.charCodeAt(at) * 2 ** 24 + low;
  }

  pathAt(position: number): string {
    return this.#layout.paths[position] as string;
  }

  idAt(position: number): string {
    this.#ids ??= Array.from({ length: this.size });
    const id = this.#ids[position] ?? this.#restoredId(position);
    this.#ids[position] = id;
    return id;
  }

  #restoredId(position: number): string {
    const start = VARIABLE_BYTES * position + ID_AT;
    const bytes = this.#bytes.slice(start, VARIABLE_BYTES * (position + 1));
    return uuidOf(Buffer.from(bytes, 'latin1').toString('hex'));
  }
}

/** One is made for each reading, so that each field counts. */
class VariableOfDevice implements CachedVariable {
  readonly seriesId: number;
  readonly #positionAndKind: number;
  readonly #variables: DeviceVariables;

  constructor(variables: DeviceVariables, position: number, seriesId: number, kind: number) {
    this.seriesId = seriesId;
    this.#positionAndKind = (position << KIND_BITS) | kind;
    this.#variables = variables;
  }

  get position(): number {
    return this.#positionAndKind >> KIND_BITS;
  }

  get type(): VariableType {
    return TYPES[this.#positionAndKind & TYPE_MASK] as VariableType;
  }

  get isLoggingEnabled(): boolean {
    return (this.#positionAndKind & LOGGING_FLAG) !== 0;
  }

  get path(): string {
    return this.#variables.pathAt(this.position);
  }

  get id(): string {
    return this.#variables.idAt(this.position);
  }

  get deviceId(): string {
    return this.#variables.deviceId;
  }

  get organizationId(): string {
    return this.#variables.organizationId;
  }
}
