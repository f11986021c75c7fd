export { HistoryChart } from './history-chart.tsx';
export type { Period, Threshold } from './marks.ts';
export { endingNow, PRESETS_MS, parseRange, type Range, type RangeChoice } from './range.ts';
export { RangePicker } from './range-picker.tsx';
export type { ChartOptions } from './time-chart.tsx';
export { useRange } from './use-range.ts';
