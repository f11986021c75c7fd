/** Edits of one character, or swaps of two neighbours, that turn one text into the other. */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}

const MIN_PREFIX = 3;

/** The name that was probably meant; undefined when none is close. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const longer = names.filter((name) => given.length >= MIN_PREFIX && name.startsWith(given));
  if (longer.length === 1) return longer[0];
  const maxDistance = Math.max(1, Math.floor(given.length / 3));
  const [best] = names
    .map((name) => ({ name, distance: editDistance(given, name) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}
