export { periodColour } from './alarm-marks.ts';
export { ChartPanel } from './chart-panel.tsx';
export { MAX_LINES, toggled, useCharted } from './charted.ts';
export { useSelectedVariables } from './selected-variables.ts';
export { WatchedChart } from './watched-chart.tsx';
