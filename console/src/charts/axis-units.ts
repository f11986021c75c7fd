import type uPlot from 'uplot';
import { AXIS_PX, axisColours } from './axes.ts';

const UNIT_PX = 11;

/** The unit above each value axis. */
export function drawUnits(plot: uPlot, units: readonly string[], isDark: boolean): void {
  const { ctx, bbox } = plot;
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${UNIT_PX * pixel}px system-ui, sans-serif`;
  ctx.fillStyle = axisColours(isDark).text;
  ctx.textBaseline = 'bottom';
  for (const [index, unit] of units.entries()) {
    const isLeft = index === 0;
    const right = bbox.left + bbox.width + ((index - 1) * AXIS_PX + 8) * pixel;
    ctx.textAlign = isLeft ? 'right' : 'left';
    ctx.fillText(unit, isLeft ? bbox.left - 8 * pixel : right, bbox.top - 8 * pixel);
  }
  ctx.restore();
}
