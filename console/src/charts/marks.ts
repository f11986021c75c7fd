import type uPlot from 'uplot';
import { STATES, SURFACES, type Tone, TYPE } from '../design/index.ts';
import { placeLabels } from './threshold-labels.ts';

/** A horizontal line, such as the threshold of an Alarm. */
export interface Threshold {
  readonly value: number;
  readonly label: string;
  readonly unit: string | null;
  /** That of the severity. */
  readonly tone?: Tone;
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

/** What is shaded in one colour, in pixels of the canvas. */
interface Shading {
  readonly colour: string;
  readonly spans: readonly { readonly left: number; readonly width: number }[];
}

/** The visible parts of periods, one entry for each colour. */
export function shadingsOf(
  plot: Pick<uPlot, 'bbox' | 'valToPos'>,
  periods: readonly Period[],
): Shading[] {
  const { bbox } = plot;
  return [...new Set(periods.map(({ colour }) => colour))].map((colour) => ({
    colour,
    spans: periods.flatMap(({ startMs, endMs, colour: own }) => {
      const left = Math.max(bbox.left, plot.valToPos(startMs / 1000, 'x', true));
      const right = Math.min(bbox.left + bbox.width, plot.valToPos(endMs / 1000, 'x', true));
      return own === colour && right >= left ? [{ left, width: Math.max(2, right - left) }] : [];
    }),
  }));
}

export function drawPeriods(plot: uPlot, periods: readonly Period[]): void {
  const { ctx, bbox } = plot;
  // One shape for each colour: translucent ones that overlap would add up to an opaque block.
  for (const { colour, spans } of shadingsOf(plot, periods)) {
    ctx.fillStyle = colour;
    ctx.beginPath();
    for (const { left, width } of spans) ctx.rect(left, bbox.top, width, bbox.height);
    ctx.fill();
  }
}

/** Thin lines at the times of annotations. */
export function drawMoments(plot: uPlot, moments: readonly number[], isDark: boolean): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = SURFACES[isDark ? 'dark' : 'light'].strongBorder;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const ms of moments) {
    const x = plot.valToPos(ms / 1000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

const LABEL_PX = TYPE.comfortable.xs;

export function drawThresholds(
  plot: uPlot,
  thresholds: readonly Threshold[],
  isDark: boolean,
): void {
  const { ctx, bbox } = plot;
  const pixel = devicePixelRatio;
  const rowPx = LABEL_PX * pixel;
  ctx.save();
  ctx.setLineDash([6, 4]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.font = `${rowPx}px system-ui, sans-serif`;
  const colours = STATES[isDark ? 'dark' : 'light'];
  const lines = thresholds.flatMap(({ value, label, unit, tone = 'critical' }) => {
    if (plot.scales[scaleOf(unit)]?.min == null) return [];
    const y = plot.valToPos(value, scaleOf(unit), true);
    if (y < bbox.top || y > bbox.top + bbox.height) return [];
    return [{ y, label, width: ctx.measureText(label).width, colour: colours[tone].solid }];
  });
  ctx.lineWidth = 1.5 * pixel;
  for (const { y, colour } of lines) {
    ctx.strokeStyle = colour;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  const places = placeLabels(lines, {
    left: bbox.left + 6 * pixel,
    right: bbox.left + bbox.width,
    top: bbox.top,
    bottom: bbox.top + bbox.height,
    rowPx,
  });
  // An edge in the background's colour keeps a label readable across lines.
  ctx.setLineDash([]);
  ctx.lineJoin = 'round';
  ctx.lineWidth = 3 * pixel;
  ctx.strokeStyle = SURFACES[isDark ? 'dark' : 'light'].surface;
  for (const [index, place] of places.entries()) {
    const line = lines[index];
    if (!place || !line) continue;
    ctx.fillStyle = line.colour;
    ctx.strokeText(line.label, place.x, place.y);
    ctx.fillText(line.label, place.x, place.y);
  }
  ctx.restore();
}
