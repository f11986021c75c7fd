/**
 * A small number for each Device that is heard of, for as long as the server runs. What is known of
 * Devices then stands in arrays by it: among a hundred thousand of them, a search by id for each
 * message costs more than what is done with it.
 */
export interface Places {
  /** How many were given: all are below. */
  readonly count: number;
  of(deviceId: string): number;
  /** Undefined when the Device was not heard of. */
  find(deviceId: string): number | undefined;
  idAt(place: number): string;
}

/** A Device that has its place. */
export interface Placed {
  readonly place: number;
  readonly deviceId: string;
  readonly organizationId: string;
}

export function createPlaces(): Places {
  const ids: string[] = [];
  const places = new Map<string, number>();
  return {
    get count() {
      return ids.length;
    },
    of(deviceId) {
      const known = places.get(deviceId);
      if (known !== undefined) return known;
      places.set(deviceId, ids.length);
      return ids.push(deviceId) - 1;
    },
    find: (deviceId) => places.get(deviceId),
    idAt: (place) => ids[place] as string,
  };
}

const FIRST_ROOM = 1_024;

/** A number for each place, 0 until it is set. */
export class Column {
  #cells = new Float64Array(FIRST_ROOM);

  get(place: number): number {
    return place < this.#cells.length ? (this.#cells[place] as number) : 0;
  }

  set(place: number, value: number): void {
    if (place >= this.#cells.length) {
      const cells = new Float64Array(2 * place);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#cells[place] = value;
  }
}

/** Places that wait, each once, in the order in which they began to. */
export class Waiting {
  readonly #isWaiting = new Column();
  #places: number[] = [];

  get count(): number {
    return this.#places.length;
  }

  add(place: number): void {
    if (this.#isWaiting.get(place) === 1) return;
    this.#isWaiting.set(place, 1);
    this.#places.push(place);
  }

  /** Takes out those that wait longest. */
  take(most = Number.POSITIVE_INFINITY): readonly number[] {
    const taken = this.#places.slice(0, most);
    this.#places = this.#places.slice(taken.length);
    for (const place of taken) this.#isWaiting.set(place, 0);
    return taken;
  }
}
