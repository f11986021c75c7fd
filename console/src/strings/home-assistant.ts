/** A file of its own, since one page alone needs these texts. */
export const homeAssistant = {
  search: 'Search connections',
  add: 'Add connection',
  create: 'Connect to Home Assistant',
  edit: 'Edit connection to Home Assistant',
  name: 'Name',
  url: 'MQTT broker',
  urlHint:
    'The broker that Home Assistant uses, as mqtt:// or mqtts://. The operator of this server must allow an address in a private network.',
  username: 'User name at the broker',
  password: 'Password',
  passwordHint: 'Leave empty to keep the stored password.',
  discoveryPrefix: 'Discovery prefix',
  locations: 'Locations',
  locationsHint: 'Publishes their Devices. Leave empty for all Devices.',
  everything: 'All Devices',
  active: 'Enabled: publishes Devices',
  state: 'State',
  states: {
    INACTIVE: 'Disabled',
    CONNECTING: 'Connecting',
    CONNECTED: 'Connected',
    FAILED: 'Not connected',
  },
  devices: 'Devices',
  many: 'connections',
  removeText:
    'The published Devices and their entities are removed from Home Assistant. Devices and history stay here.',
  empty: 'No connections to Home Assistant yet',
  emptyHint:
    'Devices appear in Home Assistant with their values, by MQTT discovery at the broker that it uses.',
};
