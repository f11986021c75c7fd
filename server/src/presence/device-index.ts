/**
 * A small number for each Device that the server has met since its start. State of Devices is kept
 * in arrays by this number: with a hundred thousand Devices, a search by id for each message would
 * cost more than the rest of its processing.
 */
export interface DeviceIndex {
  /** How many Devices have an index: every index is smaller. */
  readonly size: number;
  /** The index of the Device; assigns the next free one at the first call. */
  indexOf(deviceId: string): number;
  /** Undefined when the Device has no index yet. */
  find(deviceId: string): number | undefined;
  idAt(index: number): string;
}

/** A Device that has an index. */
export interface IndexedDevice {
  readonly index: number;
  readonly deviceId: string;
  readonly organizationId: string;
}

export function createDeviceIndex(): DeviceIndex {
  const ids: string[] = [];
  const indexes = new Map<string, number>();
  return {
    get size() {
      return ids.length;
    },
    indexOf(deviceId) {
      const known = indexes.get(deviceId);
      if (known !== undefined) return known;
      indexes.set(deviceId, ids.length);
      return ids.push(deviceId) - 1;
    },
    find: (deviceId) => indexes.get(deviceId),
    idAt: (index) => ids[index] as string,
  };
}

const INITIAL_CAPACITY = 1_024;

/** One number for each Device by its index, 0 until it is set. */
export class DeviceColumn {
  #cells = new Float64Array(INITIAL_CAPACITY);

  get(index: number): number {
    return index < this.#cells.length ? (this.#cells[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#cells.length) {
      const cells = new Float64Array(2 * index);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#cells[index] = value;
  }
}

/** A first-in-first-out queue of Devices by their indexes, each at most once. */
export class DeviceQueue {
  readonly #isQueued = new DeviceColumn();
  #indexes: number[] = [];

  get size(): number {
    return this.#indexes.length;
  }

  add(index: number): void {
    if (this.#isQueued.get(index) === 1) return;
    this.#isQueued.set(index, 1);
    this.#indexes.push(index);
  }

  /** Removes and returns the first ones, at most `max`. */
  take(max = Number.POSITIVE_INFINITY): readonly number[] {
    const taken = this.#indexes.slice(0, max);
    this.#indexes = this.#indexes.slice(taken.length);
    for (const index of taken) this.#isQueued.set(index, 0);
    return taken;
  }
}
