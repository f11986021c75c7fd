/**
 * A map with at most `maxSize` entries. Setting an entry makes it the newest, and evicts the oldest
 * beyond the limit; reading one does not change the order.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    for (const oldest of this.keys()) {
      if (this.size < this.#maxSize) break;
      this.delete(oldest);
    }
    return super.set(key, value);
  }
}
