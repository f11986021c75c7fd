type Values = Readonly<Record<string, unknown>>;

export interface Rebased<V extends Values> {
  readonly values: V;
  /** Fields that both sides changed to different values, with the other side's value. */
  readonly clashes: Values;
}

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equality of JSON values: the order of fields does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  if (!isPlain(one) || !isPlain(other)) return Object.is(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

/**
 * A three-way merge of a user's input with the stored record: a field that the user changed keeps the
 * input, every other field takes the stored value. Objects are merged field by field.
 */
export function rebase<V extends Values>(base: V, typed: V, theirs: V): Rebased<V> {
  const keys = new Set([...Object.keys(base), ...Object.keys(typed), ...Object.keys(theirs)]);
  const values: Record<string, unknown> = {};
  const clashes: Record<string, unknown> = {};
  for (const key of keys) {
    const [was, mine, other] = [base[key], typed[key], theirs[key]];
    const isMine = !isSame(mine, was);
    const from = isMine ? typed : theirs;
    if (Object.hasOwn(from, key)) values[key] = from[key];
    if (!isMine || isSame(other, was) || isSame(mine, other)) continue;
    if (isPlain(was) && isPlain(mine) && isPlain(other)) {
      const inner = rebase(was, mine, other);
      values[key] = inner.values;
      for (const [path, value] of Object.entries(inner.clashes)) clashes[`${key}.${path}`] = value;
    } else {
      clashes[key] = other;
    }
  }
  return { values: values as V, clashes };
}
