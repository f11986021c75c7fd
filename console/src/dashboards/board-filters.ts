import { parseRange, type RangeChoice } from '../charts/index.ts';
import type { Raw } from '../service/index.ts';
import { parseWallFilters, type WallFilters } from './wall-filters.ts';

/** How a board is viewed, from its URL. */
export interface BoardFilters extends WallFilters, RangeChoice {}

export function parseBoardFilters(raw: Raw): BoardFilters {
  return { ...parseRange(raw), ...parseWallFilters(raw) };
}
