/** A range that is fixed, or one of a length up to now. */
export interface RangeRequest {
  readonly ownMs: number | undefined;
  /** A zoomed range of the board. */
  readonly zoomed: { readonly startMs: number; readonly endMs: number } | null;
  /** The length of the board's range. */
  readonly boardMs: number;
  readonly refreshMs: number;
}

/**
 * The range of a widget: its own length up to now, or else that of the board. It moves in steps of
 * the refresh interval, but not in more than a thousand steps over its length, which would not be
 * visible.
 */
export function widgetRange({ ownMs, zoomed, boardMs, refreshMs }: RangeRequest, nowMs: number) {
  if (ownMs === undefined && zoomed) return zoomed;
  const lengthMs = ownMs ?? boardMs;
  const stepMs = Math.max(Math.min(refreshMs, lengthMs / 50), Math.floor(lengthMs / 1_000));
  const endMs = Math.ceil(nowMs / stepMs) * stepMs;
  return { startMs: endMs - lengthMs, endMs };
}
