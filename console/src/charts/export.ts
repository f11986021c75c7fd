import type uPlot from 'uplot';
import { csvCell } from '../runtime/index.ts';
import type { NumberHistory } from './histories.ts';
import type { Range } from './range.ts';

/** The displayed data as CSV: one line per time, three columns per Variable. */
export function chartCsv(
  histories: readonly NumberHistory[],
  data: uPlot.AlignedData,
  { startMs, endMs }: Range,
): string {
  const names = histories.flatMap(({ variable: { name, unit } }) => {
    const full = unit ? `${name} (${unit})` : name;
    return [full, `${full} min`, `${full} max`].map(csvCell);
  });
  const lines = Array.from(data[0]).flatMap((seconds, row) => {
    const ms = seconds * 1000;
    if (ms < startMs || ms > endMs) return [];
    const cells = data.slice(1).map((column) => column[row] ?? '');
    return [[new Date(ms).toISOString(), ...cells].join(',')];
  });
  return `${[['time', ...names].join(','), ...lines].join('\r\n')}\r\n`;
}

/** The chart as an image with a background, since a canvas alone is transparent. */
export function chartPng(plot: uPlot, background: string): Promise<Blob> {
  const { canvas } = plot.ctx;
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (!context) return Promise.reject(new Error('there is no canvas here'));
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  return new Promise((resolve, reject) => {
    copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}
