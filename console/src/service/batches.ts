/** The maximum number of ids in one request. */
export const MAX_IDS_PER_REQUEST = 200;

/** The requests that these ids take: each id once, in an order that does not depend on the list's. */
export function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const unique = [...new Set(ids)].sort();
  const count = Math.ceil(unique.length / MAX_IDS_PER_REQUEST);
  return Array.from({ length: count }, (_, index) =>
    unique.slice(index * MAX_IDS_PER_REQUEST, (index + 1) * MAX_IDS_PER_REQUEST),
  );
}
