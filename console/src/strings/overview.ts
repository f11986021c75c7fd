export const overview = {
  title: 'Overview',
  devices: 'Devices',
  online: (online: number, all: number) => `${online} of ${all} online`,
  openAlarms: 'Open alarms',
  noOpenAlarms: 'Nothing is wrong at the moment.',
  latest: 'Latest events',
  noEvents: 'No alarm was ever raised here.',
  seeHistory: 'All events',
  offline: 'Offline',
  allOnline: 'Every Device is online.',
  rate: 'Readings per second',
  readings: 'Readings',
} as const;
