export const locations = {
  title: 'Locations',
  one: 'Location',
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
  emptyHint: 'A Location is where Devices and Assets are: a site, a building, a room.',
  state: 'State',
  fine: 'No open alarm',
  good: 'OK',
  within: 'Places within it',
  noDevices: 'No Device is here.',
  noAssets: 'No Asset is here.',
  form: {
    create: 'Add a Location',
    edit: 'Edit Location',
    parent: 'Part of',
    top: 'Nothing: at the top',
    latitude: 'Latitude',
    longitude: 'Longitude',
    timeZone: 'Time zone',
    timeZoneHint: 'As Europe/Vienna',
  },
  remove: {
    text: 'The Location itself is lost for good.',
    nothing: 'Nothing refers to it.',
    devices: (count: number) =>
      count === 1
        ? '1 Device stays, without a Location'
        : `${count} Devices stay, without a Location`,
    assets: (count: number) =>
      count === 1
        ? '1 Asset stays, without a Location'
        : `${count} Assets stay, without a Location`,
    within: (count: number) =>
      count === 1
        ? '1 place within it moves to the top'
        : `${count} places within it move to the top`,
    alarms: (count: number) =>
      count === 1
        ? '1 Alarm is no longer found by this Location'
        : `${count} Alarms are no longer found by this Location`,
  },
} as const;
