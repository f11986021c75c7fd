import type uPlot from 'uplot';

/** A horizontal line, such as the threshold of an Alarm. */
export interface Threshold {
  readonly value: number;
  readonly label: string;
  readonly unit: string | null;
}

/** A period in which an alarm was active. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
  readonly colour: string;
  /** Shown in the legend under the pointer, since colour alone must not carry meaning. */
  readonly label: string;
}

export const scaleOf = (unit: string | null) => unit ?? '';

/**
 * The thresholds that a chart's scale includes. One far from all values would flatten the line, so it
 * is left out until values come nearer.
 */
export function reachable(low: number, high: number, values: readonly number[]): number[] {
  const reach = Math.max(high - low, Math.abs(high) / 2, Math.abs(low) / 2);
  return values.filter((value) => value >= low - reach && value <= high + reach);
}

/** The periods that include a time. */
export function periodsAt(periods: readonly Period[], ms: number): Period[] {
  return periods.filter(({ startMs, endMs }) => startMs <= ms && ms <= endMs);
}

export function drawPeriods(plot: uPlot, periods: readonly Period[]): void {
  const { ctx, bbox } = plot;
  for (const { startMs, endMs, colour } of periods) {
    const left = Math.max(bbox.left, plot.valToPos(startMs / 1000, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(endMs / 1000, 'x', true));
    if (right < left) continue;
    ctx.fillStyle = colour;
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  }
}

const LABEL_PX = 11;

export function drawThresholds(
  plot: uPlot,
  thresholds: readonly Threshold[],
  isDark: boolean,
): void {
  const { ctx, bbox } = plot;
  const pixel = devicePixelRatio;
  const taken: number[] = [];
  ctx.save();
  ctx.setLineDash([6, 4]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.lineWidth = 1.5 * pixel;
  ctx.strokeStyle = ctx.fillStyle = isDark ? '#ff8787' : '#c92a2a';
  ctx.font = `${LABEL_PX * pixel}px system-ui, sans-serif`;
  for (const { value, label, unit } of thresholds) {
    if (plot.scales[scaleOf(unit)]?.min == null) continue;
    const y = plot.valToPos(value, scaleOf(unit), true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    // Overlapping labels would be unreadable, so only the first is drawn.
    if (taken.some((other) => Math.abs(other - y) < LABEL_PX * pixel)) continue;
    taken.push(y);
    const isAtTop = y - bbox.top < (LABEL_PX + 6) * pixel;
    ctx.fillText(
      label,
      bbox.left + 6 * pixel,
      isAtTop ? y + (LABEL_PX + 4) * pixel : y - 3 * pixel,
    );
  }
  ctx.restore();
}
