export { ChartPanel } from './chart-panel.tsx';
export { MOST_LINES, toggled, useCharted } from './charted.ts';
export { useChosenVariables } from './chosen-variables.ts';
export { WatchedChart } from './watched-chart.tsx';
