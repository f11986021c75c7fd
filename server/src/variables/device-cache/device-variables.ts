import type { VariableType } from '@fieldwatch/contract';
import { BoundedMap, uuidOf } from '../../runtime/index.ts';
import type { VariableRef } from '../ref.ts';
import type { CachedDeviceRow } from './store.ts';

/*
 * With a million Variables in the cache, each byte of one is a megabyte. Paths and their positions are
 * stored once for all Devices that have the same ones, and ids as bytes.
 */

/** The Variables of a Device by their paths. */
export interface VariablesByPath {
  readonly size: number;
  get(path: string): CachedVariable | undefined;
}

export interface CachedVariable extends VariableRef {
  /** The Variable of the same Device that followed it last time: messages repeat their keys. */
  next?: CachedVariable | undefined;
}

/** The position of each path among the Variables of a Device. */
type Layout = ReadonlyMap<string, number>;

const MAX_LAYOUTS = 256;

/** The layouts that were used last, by their paths. A Device keeps its own beyond that. */
export class Layouts {
  readonly #layouts = new BoundedMap<string, Layout>(MAX_LAYOUTS);

  /** The layout of paths in this order. */
  of(paths: readonly string[]): Layout {
    const key = JSON.stringify(paths);
    const layout =
      this.#layouts.get(key) ?? new Map(paths.map((path, index) => [interned(path), index]));
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

/** One copy of each name of a type, so that names are compared by reference. */
const TYPES = { NUMBER: 'NUMBER', STRING: 'STRING', BOOLEAN: 'BOOLEAN' } as const;
const ID_BYTES = 16;

interface Owner {
  readonly deviceId: string;
  readonly organizationId: string;
}

/** The Variables of one Device in the order of their layout. */
export class DeviceVariables implements VariablesByPath {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly #layout: Layout;
  readonly #variables: readonly CachedVariable[];
  /** A character for each byte: strings have the smallest overhead of all byte arrays. */
  readonly #ids: string;

  constructor(owner: Owner, rows: CachedDeviceRow['variables'], layouts: Layouts) {
    const sorted = rows.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    this.deviceId = owner.deviceId;
    this.organizationId = owner.organizationId;
    this.#layout = layouts.of(sorted.map(({ path }) => path));
    const paths = [...this.#layout.keys()];
    this.#variables = sorted.map(
      (row, index) => new VariableOfDevice(this, row, paths[index] as string),
    );
    const digits = sorted.map(({ id }) => id.replaceAll('-', '')).join('');
    this.#ids = Buffer.from(digits, 'hex').toString('latin1');
  }

  get size(): number {
    return this.#variables.length;
  }

  get(path: string): CachedVariable | undefined {
    const index = this.#layout.get(path);
    return index === undefined ? undefined : this.#variables[index];
  }

  idOf(path: string): string {
    const start = ID_BYTES * (this.#layout.get(path) ?? 0);
    const bytes = this.#ids.slice(start, start + ID_BYTES);
    return uuidOf(Buffer.from(bytes, 'latin1').toString('hex'));
  }
}

type VariableRow = CachedDeviceRow['variables'][number];

class VariableOfDevice implements CachedVariable {
  // The fields that every reading needs come first.
  readonly seriesId: number;
  readonly type: VariableType;
  readonly isLoggingEnabled: boolean;
  readonly path: string;
  next: CachedVariable | undefined = undefined;
  readonly #variables: DeviceVariables;
  /** Restored at the first use: most Variables are in no live stream. */
  #id: string | undefined = undefined;

  constructor(variables: DeviceVariables, row: VariableRow, path: string) {
    this.seriesId = row.seriesId;
    this.type = TYPES[row.type];
    this.isLoggingEnabled = row.isLoggingEnabled;
    this.path = path;
    this.#variables = variables;
  }

  get id(): string {
    this.#id ??= this.#variables.idOf(this.path);
    return this.#id;
  }

  get deviceId(): string {
    return this.#variables.deviceId;
  }

  get organizationId(): string {
    return this.#variables.organizationId;
  }
}
