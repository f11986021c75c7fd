export interface LevelPoint {
  readonly atMs: number;
  readonly level: number;
}

const MINUTE_MS = 60_000;
/** The fall of this time counts: a consumption of yesterday says nothing about now. */
const WINDOW_MS = 120 * MINUTE_MS;
const MIN_SPAN_MS = 45 * MINUTE_MS;
const MIN_POINTS = 4;
/** The level must still be falling, and known, at the end of the window. */
const RECENT_MS = 40 * MINUTE_MS;
/** Smaller movements, in percent of a tank, are those of the sensor. */
const MIN_FALL = 0.5;
const MIN_RISE = 2;
/** A time that lies further ahead is none that anyone plans by. */
const MAX_MS = 10 * 24 * 60 * MINUTE_MS;

/**
 * The time until a tank is empty, by the line of least squares through its level of the last two
 * hours, or since it was filled. Null while the level rises or stays, or is known for too short.
 * The points are in the order of time.
 */
export function timeToEmpty(points: readonly LevelPoint[], nowMs: number): number | null {
  const recent = sinceLastRise(points.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS));
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || recent.length < MIN_POINTS) return null;
  if (last.atMs - first.atMs < MIN_SPAN_MS || nowMs - last.atMs > RECENT_MS) return null;
  if (first.level - last.level < MIN_FALL || !isStillFalling(recent, last)) return null;
  const { slope, mean } = fitLine(recent);
  if (slope >= 0) return null;
  const level = Math.max(0, mean.level + slope * (last.atMs - mean.atMs));
  const emptyMs = last.atMs + level / -slope - nowMs;
  return emptyMs > MAX_MS ? null : Math.max(0, emptyMs);
}

/** The points behind the last time that the tank was filled. */
function sinceLastRise(points: readonly LevelPoint[]): readonly LevelPoint[] {
  let lowest = Number.POSITIVE_INFINITY;
  let start = 0;
  for (const [index, { level }] of points.entries()) {
    if (level - lowest >= MIN_RISE) {
      start = index;
      lowest = level;
    }
    lowest = Math.min(lowest, level);
  }
  return points.slice(start);
}

function isStillFalling(points: readonly LevelPoint[], last: LevelPoint): boolean {
  const before = points.findLast(({ atMs }) => last.atMs - atMs >= RECENT_MS);
  return before !== undefined && before.level > last.level;
}

/** The line of least squares, by its slope per millisecond and the point in its middle. */
function fitLine(points: readonly LevelPoint[]): { slope: number; mean: LevelPoint } {
  const meanOf = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = {
    atMs: meanOf(points.map(({ atMs }) => atMs)),
    level: meanOf(points.map(({ level }) => level)),
  };
  let [products, squares] = [0, 0];
  for (const { atMs, level } of points) {
    products += (atMs - mean.atMs) * (level - mean.level);
    squares += (atMs - mean.atMs) ** 2;
  }
  return { slope: squares === 0 ? 0 : products / squares, mean };
}
