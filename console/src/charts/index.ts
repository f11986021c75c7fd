export { HistoryChart } from './history-chart.tsx';
export type { Period, Threshold } from './plot.ts';
export {
  PRESETS_MS,
  parseRange,
  type Range,
  type RangeChoice,
  rangeOf,
  steadyNow,
} from './range.ts';
export { RangePicker } from './range-picker.tsx';
