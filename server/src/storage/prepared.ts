import type { Queries } from './storage.ts';

/** The same queries, all of them prepared; see `QueryOptions`. */
export function prepared(lane: Queries): Queries {
  return { query: (sql, params) => lane.query(sql, params, { isPrepared: true }) };
}
