type GrowingArray = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Arrays of many cells grow by a quarter: with a million series, doubling would leave half unused. */
const MAX_DOUBLED_CELLS = 65_536;

/** The array itself where it has so many cells, otherwise a longer copy. */
export function withRoom<T extends GrowingArray>(array: T, cells: number): T {
  const { length } = array;
  if (cells <= length) return array;
  const grown = length < MAX_DOUBLED_CELLS ? 2 * length : Math.ceil(1.25 * length);
  const Same = array.constructor as new (length: number) => T;
  const copy = new Same(Math.max(cells, grown));
  copy.set(array);
  return copy;
}
