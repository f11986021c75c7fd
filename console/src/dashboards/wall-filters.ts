import { compact, idsIn, numberIn, type Raw, textIn } from '../service/index.ts';

/** The refresh intervals that a viewer can choose, in seconds. */
export const REFRESH_SECONDS = [5, 10, 30, 60, 300] as const;

export const MIN_ROTATION_SECONDS = 5;
export const MAX_ROTATION_SECONDS = 3_600;
export const DEFAULT_ROTATION_SECONDS = 30;
export const MAX_ROTATED_BOARDS = 20;

/** A number within bounds; undefined for anything else. */
function within(raw: unknown, min: number, max: number): number | undefined {
  const number = numberIn(raw);
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

/** How a board is shown, from its URL, apart from its time range. */
export interface WallFilters {
  readonly wall?: true | undefined;
  readonly refresh?: number | undefined;
  /** The site or the Asset that a template shows. */
  readonly target?: string | undefined;
  /** Boards that a wall shows in turn, for so many seconds each. */
  readonly boards?: readonly string[] | undefined;
  readonly seconds?: number | undefined;
}

export function parseWallFilters(raw: Raw): WallFilters {
  return compact({
    wall: raw.wall === true || undefined,
    refresh: within(raw.refresh, 1, 3_600),
    target: textIn(raw.target),
    boards: [...new Set(idsIn(raw.boards))].slice(0, MAX_ROTATED_BOARDS),
    seconds: within(raw.seconds, MIN_ROTATION_SECONDS, MAX_ROTATION_SECONDS),
  });
}
