import type uPlot from 'uplot';
import { csvCell } from '../runtime/index.ts';
import type { Line } from './histories.ts';
import type { Range } from './range.ts';

/**
 * The displayed data as CSV: one line per time, three columns per Variable, whose heads name the
 * Device where the name of the line does not.
 */
export function chartCsv(
  lines: readonly Pick<Line, 'name' | 'variable'>[],
  data: uPlot.AlignedData,
  { startMs, endMs }: Range,
  deviceNames: ReadonlyMap<string, string>,
): string {
  const heads = lines.flatMap(({ name, variable: { deviceId, unit } }) => {
    const device = deviceNames.get(deviceId);
    const isNamed = device === undefined || name.startsWith(`${device} `);
    const full = `${isNamed ? name : `${device} · ${name}`}${unit ? ` (${unit})` : ''}`;
    return [full, `${full} min`, `${full} max`].map(csvCell);
  });
  const rows = Array.from(data[0]).flatMap((seconds, row) => {
    const ms = seconds * 1000;
    if (ms < startMs || ms > endMs) return [];
    const cells = data.slice(1).map((column) => column[row] ?? '');
    return [[new Date(ms).toISOString(), ...cells].join(',')];
  });
  return `${[['time', ...heads].join(','), ...rows].join('\r\n')}\r\n`;
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
