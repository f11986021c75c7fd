export const charts = {
  about: (names: string) => `Chart of ${names}`,
  range: 'Time range',
  presets: { hour: '1 h', day: '24 h', week: '7 d', month: '30 d', year: '1 y' },
  zoomOut: 'Zoom out',
  empty: 'No readings in this range',
  csv: 'Copy as CSV',
  png: 'Copy as picture',
  copied: 'Copied',
  saved: 'Saved as a file',
  hint: 'Drag to zoom, double click to go back.',
} as const;
