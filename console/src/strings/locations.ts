export const locations = {
  title: 'Locations',
  search: 'Search Locations by name',
  add: 'Add Location',
  tabs: { list: 'List', tree: 'Tree', map: 'Map', label: 'View' },
  address: 'Address',
  devices: 'Devices',
  assets: 'Assets',
  coordinates: 'Coordinates',
  map: 'Map of the Locations',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  reset: 'Show all',
  noCoordinates: 'No Location has coordinates yet.',
  empty: 'No Locations yet',
  emptyHint: 'A Location is a site, a building or a room with Devices and Assets.',
  state: 'State',
  noActiveAlarms: 'No active alarms',
  good: 'Normal',
  children: 'Child Locations',
  noDevices: 'No Devices at this Location.',
  noAssets: 'No Assets at this Location.',
  form: {
    create: 'Add a Location',
    edit: 'Edit Location',
    parent: 'Parent Location',
    top: 'None (top level)',
    latitude: 'Latitude',
    longitude: 'Longitude',
    timeZone: 'Time zone',
    timeZoneHint: 'For example Europe/Vienna',
  },
  move: 'Set parent Location',
  moveTitle: (count: number) => (count === 1 ? 'Move 1 Location' : `Move ${count} Locations`),
  remove: {
    effect:
      'This permanently deletes the Location. Its Devices and Assets stay without one, and its child Locations move to the top level.',
    text: 'This permanently deletes the Location.',
    unreferenced: 'No other record refers to it.',
    devices: (count: number) =>
      count === 1
        ? '1 Device stays, without a Location'
        : `${count} Devices stay, without a Location`,
    assets: (count: number) =>
      count === 1
        ? '1 Asset stays, without a Location'
        : `${count} Assets stay, without a Location`,
    children: (count: number) =>
      count === 1
        ? '1 child Location moves to the top level'
        : `${count} child Locations move to the top level`,
    alarms: (count: number) =>
      count === 1
        ? '1 Alarm is no longer found by this Location'
        : `${count} Alarms are no longer found by this Location`,
  },
} as const;
