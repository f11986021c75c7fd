/** How well a text matches: 0 exactly, 1 as its beginning, 2 otherwise. */
function rankOf(text: string, search: string): number {
  const folded = text.toLowerCase();
  if (folded === search) return 0;
  return folded.startsWith(search) ? 1 : 2;
}

/**
 * What a search found with exact matches first, then names that begin with the search, then the rest,
 * each in the given order. A record ranks by the best of its names.
 */
export function ranked<T>(
  found: readonly T[],
  search: string,
  namesOf: (record: T) => readonly string[],
): readonly T[] {
  const text = search.trim().toLowerCase();
  const rank = (record: T) => Math.min(...namesOf(record).map((name) => rankOf(name, text)));
  return found.toSorted((a, b) => rank(a) - rank(b));
}
