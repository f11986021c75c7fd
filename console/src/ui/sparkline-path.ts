interface Course {
  readonly timestamp: readonly number[];
  readonly mean: readonly number[];
}

/** A gap longer than this share of the range is not bridged by the line. */
const MAX_GAP_SHARE = 0.1;

/** The line of a sparkline within a box of this size; null without values. */
export function sparklinePath(
  course: Course | undefined,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  width: number,
  height: number,
): { readonly path: string; readonly min: number; readonly max: number } | null {
  if (!course || course.timestamp.length === 0) return null;
  const min = Math.min(...course.mean);
  const max = Math.max(...course.mean);
  const lengthMs = endMs - startMs;
  const padding = 2;
  const y = (value: number) =>
    max === min ? height / 2 : padding + (height - 2 * padding) * (1 - (value - min) / (max - min));
  let path = '';
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [index, ms] of course.timestamp.entries()) {
    const x = ((ms - startMs) / lengthMs) * width;
    const isGap = ms - lastMs > lengthMs * MAX_GAP_SHARE;
    path += `${isGap ? 'M' : 'L'}${x.toFixed(1)} ${y(course.mean[index] ?? min).toFixed(1)}`;
    lastMs = ms;
  }
  return { path, min, max };
}
