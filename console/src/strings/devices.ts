import type { DeviceType } from '@fieldwatch/contract';

const types: Readonly<Record<DeviceType, string>> = {
  CONTROLCOM_GATEWAY: 'ControlCom gateway',
  CUSTOM_DEVICE: 'Custom device',
  LORAWAN_GATEWAY_CLOUD: 'LoRaWAN gateway, cloud',
  LORAWAN_GATEWAY_EDGE: 'LoRaWAN gateway, edge',
  LORAWAN_DEVICE: 'LoRaWAN device',
};

/** The settings of LoRaWAN gateways and sensors. */
const configuration = {
  gatewayEui: 'Gateway EUI',
  rfRegion: 'RF region',
  subBand: 'Sub-band',
  devEui: 'Device EUI',
  appEui: 'Application EUI',
  appKey: 'Application key',
} as const;

export const devices = {
  configuration,
  title: 'Devices',
  types,
  search: 'Search Devices by name',
  add: 'Add Device',
  state: 'State',
  inactive: 'Inactive',
  type: 'Type',
  lastSeen: 'Last seen',
  empty: 'No Devices yet',
  emptyHint: 'A Device sends readings: a controller, a gateway or a sensor.',
  form: {
    create: 'Add a Device',
    edit: 'Edit Device',
    nameHint: '5 to 100 characters',
    type: 'Type',
    parent: 'Parent Device',
    gatewayEui: 'Gateway EUI, 16 hex digits',
    rfRegion: configuration.rfRegion,
    subBand: 'Sub-band, 1 to 8',
    devEui: 'Device EUI, 16 hex digits',
    appEui: 'Application EUI, 16 hex digits',
    appKey: 'Application key, 32 hex digits',
    active: 'Active: accepts readings',
    created: 'Device created',
  },
  credentials: {
    once: 'The password is shown only once. Copy it now. A lost password can only be replaced.',
    username: 'Username',
    password: 'Password',
    topic: 'Topic',
    done: 'I have copied it',
    rotate: 'New password',
    rotateTitle: 'Issue a new password?',
    rotateText: (name: string) =>
      `The old password of ${name} stops working immediately. Enter the new password on the Device.`,
    about: 'The password was shown when the Device was created. If it is lost, issue a new one.',
  },
  publish: {
    mqtt: 'Over MQTT',
    http: 'Over HTTP',
    hint: 'Replace PASSWORD with the password of the Device before you run these commands.',
    works: 'Run these commands unchanged.',
  },
  tabs: {
    values: 'Values',
    alarms: 'Alarms',
    unmatched: 'Unmatched paths',
    radio: 'Radio',
    health: 'Health',
    publish: 'Publish',
    details: 'Details',
  },
  alarms: {
    title: 'Alarms on its Variables',
    none: 'No Alarm watches a Variable of this Device.',
    noVariables: 'This Device has no Variable that an Alarm could watch.',
  },
  values: {
    value: 'Value',
    time: 'Time',
    path: 'Path',
    add: 'Add Variable',
    empty: 'No Variables yet',
    emptyHint:
      'Publish a reading. Its paths appear under Unmatched paths, where you create Variables from them.',
    search: 'Search Variables of this Device',
  },
  unmatched: {
    about: 'Paths in the readings of this Device that match no Variable.',
    path: 'Path',
    last: 'Last value',
    lastReceived: 'Last received',
    count: 'Count',
    create: 'Create Variable',
    empty: 'No unmatched paths',
    emptyHint: 'Readings whose path matches no Variable appear here.',
    tooShort: (path: string, payload: string) =>
      `Too short: the path of a Variable has at least 5 characters. Create a Variable with a longer path, such as ${path}, and publish the reading as ${payload}.`,
  },
  health: {
    accepted: 'Accepted readings',
    unknownPath: 'Unknown path',
    wrongType: 'Wrong type',
    badTime: 'Invalid time',
    inactive: 'Device inactive',
    codec: 'Not decoded',
    last: 'Last rejected readings',
    none: 'No rejected readings.',
    key: 'Path',
    reason: 'Reason',
    time: 'Time',
  },
  details: {
    id: 'Id',
    active: 'Active',
    inactive: 'Inactive: readings are rejected',
    parent: 'Parent Device',
    children: 'Child Devices',
    noChildren: 'None',
  },
  onlineWindow: {
    title: 'Online window',
    serverDefault: 'Server default',
    minutes: (minutes: number) =>
      minutes === 1 ? '1 minute after last seen' : `${minutes} minutes after last seen`,
    learned: (minutes: number) =>
      `${minutes} minutes after last seen, by the interval of its messages`,
    edit: 'Change online window',
    label: 'Minutes after last seen',
    hint: 'Time for which the Device counts as online after its last reading, 1 to 10,080 minutes. Empty: learned for LoRaWAN, else server default.',
  },
  filters: {
    states: { all: 'All', online: 'Online', silent: 'Silent', inactive: 'Inactive' },
    seen: {
      'within-hour': 'Within an hour',
      'over-hour': 'Over an hour ago',
      'over-day': 'Over a day ago',
      'over-week': 'Over a week ago',
      never: 'Never',
    },
  },
  bulk: {
    archiveTitle: (count: number) =>
      count === 1 ? 'Archive 1 Device?' : `Archive ${count} Devices?`,
    archiveText:
      'The Devices accept no more readings and leave the lists. Their history stays, and they can be restored.',
    move: 'Move to Location',
    moveTitle: (count: number) => (count === 1 ? 'Move 1 Device' : `Move ${count} Devices`),
    moveAction: 'Move',
    noLocation: 'No Location',
    activate: 'Activate',
    deactivate: 'Deactivate',
    deactivateTitle: (count: number) =>
      count === 1 ? 'Deactivate 1 Device?' : `Deactivate ${count} Devices?`,
    deactivateText: 'The Devices reject readings until they are activated again.',
  },
  archiveText:
    'The Device accepts no more readings and leaves the lists. Its history stays, and it can be restored.',
  activate: 'Activate: accept readings',
  deactivate: 'Deactivate: reject readings',
  removeText: (variables: number) =>
    `This permanently deletes the Device, ${variables === 1 ? 'its Variable' : `its ${variables} Variables`}, their history, their Alarms with all events, and their bindings. Archive the Device to keep them.`,
} as const;
