import { operations } from '@fieldwatch/contract';
import type { TestServer } from '../../../server/test/support/server.ts';

/** One record of each kind, with some history and an active alarm, so that no page is empty. */
export interface Fleet {
  readonly deviceId: string;
  /** A sensor of LoRaWAN. */
  readonly sensorId: string;
  readonly pageId: string;
  /** A recurring maintenance window that covers no event. */
  readonly windowId: string;
  readonly variableId: string;
  readonly assetId: string;
  readonly alarmId: string;
  readonly eventId: string;
  readonly locationId: string;
  readonly dashboardId: string;
}

const HOUR_MS = 60 * 60_000;
const STEP_MS = 5 * 60_000;

/** A tank that the generator has been emptying for some hours. */
const NOW_MS = Date.now();
const fuelAt = (at: number) => 41 + 6 * Math.min(8, (NOW_MS - at) / HOUR_MS);

const VARIABLES = [
  ['engine.rpm', 'Engine speed', 'NUMBER', 'rpm', (at: number) => 1500 + 20 * Math.sin(at / 3e6)],
  ['power.kw', 'Real power', 'NUMBER', 'kW', (at: number) => 300 + 120 * Math.sin(at / 1e7)],
  ['engine.oil', 'Oil pressure', 'NUMBER', 'bar', (at: number) => 4 + 0.4 * Math.sin(at / 2e6)],
  ['ats.normal', 'Normal source available', 'BOOLEAN', null, (at: number) => at % 9e6 > 1e6],
  [
    'state.text',
    'Controller state',
    'STRING',
    null,
    (at: number) => (at % 2e7 > 8e6 ? 'RUNNING' : 'READY'),
  ],
  ['fuel.level', 'Fuel level', 'NUMBER', '%', fuelAt],
] as const;

/** What the overview shows of a site. */
const CLASSIFICATIONS: Readonly<Record<string, string>> = {
  'power.kw': 'ELECTRICAL_ATS_KW',
  'ats.normal': 'ELECTRICAL_ATS_NORMAL_POSITION',
  'fuel.level': 'ELECTRICAL_GENERATOR_FUEL_LEVEL',
};

type Make = (
  operation: Parameters<TestServer['call']>[0],
  body: object,
  params?: Record<string, string>,
) => Promise<{ id: string }>;

/** A network with a sensor, its codec, and a sensor that nobody knows. */
async function fillLorawan(make: Make): Promise<{ id: string }> {
  const network = await make(operations.createLorawanNetwork, {
    ...{ name: 'Roof network', kind: 'CHIRPSTACK_V4', ingest: 'WEBHOOK', applicationId: 'plant' },
  });
  const codec = await make(operations.createCodec, {
    name: 'Temperature probe',
    script: 'function decodeUplink({ bytes }) {\n  return { data: { celsius: bytes[0] } };\n}\n',
    tests: [{ fPort: 1, bytesHex: '15', expected: { celsius: 21 } }],
  });
  const devEui = '70B3D50000000001';
  const sensor = await make(operations.createDevice, {
    ...{ type: 'LORAWAN_DEVICE', name: 'Cellar sensor' },
    configuration: { devEui, appEui: '0'.repeat(16), appKey: 'A'.repeat(32) },
  });
  const { id: deviceId } = sensor;
  await make(operations.updateLorawanDevice, { codecId: codec.id }, { deviceId });
  for (const eui of [devEui, '70B3D50000000002']) {
    await make(operations.receiveLorawanEvent, uplinkOf(eui), { networkId: network.id });
  }
  return sensor;
}

const uplinkOf = (devEui: string) => ({
  deduplicationId: devEui,
  time: new Date(NOW_MS).toISOString(),
  deviceInfo: { devEui, deviceName: 'Probe' },
  ...{ fCnt: 7, fPort: 1, data: 'FQ==' },
  rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -87, snr: 8.5 }],
  txInfo: { frequency: 868100000, modulation: { lora: { spreadingFactor: 9 } } },
});

/** On Sundays nobody is on call. Returns a test page. */
async function fillPaging(server: TestServer, make: Make): Promise<{ id: string }> {
  const { body } = await server.call(operations.listUsers);
  const userId = body.items[0].id;
  const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
  const layer = {
    userIds: [userId],
    rotation: 'WEEKLY',
    every: 1,
    handoffTime: '08:00',
    handoffWeekday: 'MONDAY',
    startDate: '2024-01-01',
    hours: weekdays.map((weekday) => ({ weekday, from: '00:00', to: '24:00' })),
  };
  const rota = await make(operations.createRota, {
    name: 'Night shift',
    timeZone: 'Europe/Vienna',
    layers: [layer],
  });
  await make(operations.createEscalationPolicy, {
    name: 'Plant alarms',
    steps: [
      { afterSeconds: 0, targets: [{ kind: 'ROTA', rotaId: rota.id }] },
      { afterSeconds: 600, targets: [{ kind: 'USER', userId }] },
    ],
  });
  return await make(operations.createTestPage, {});
}

export async function fillServer(server: TestServer): Promise<Fleet> {
  const { administrator, organizationId } = server;
  const make = async (operation: Parameters<TestServer['call']>[0], body: object, params = {}) => {
    const reply = await server.call(operation, { body, params, auth: administrator });
    if (reply.status >= 300) throw new Error(`${operation.id}: ${reply.text}`);
    return reply.body;
  };
  const location = await make(operations.createLocation, {
    name: 'North plant',
    address: 'Harbour road 1',
    latitude: 48.21,
    longitude: 16.37,
    timeZone: 'Europe/Vienna',
  });
  await make(operations.createLocation, { name: 'Switch room', parentId: location.id });
  const south = await make(operations.createLocation, {
    name: 'South plant',
    latitude: 46.62,
    longitude: 14.31,
    timeZone: 'Europe/Vienna',
  });
  const device = await make(operations.createDevice, {
    type: 'CUSTOM_DEVICE',
    name: 'Generator 1 controller',
    locationId: location.id,
  });
  await make(operations.createDevice, { type: 'CONTROLCOM_GATEWAY', name: 'Gateway, plant room' });
  const variables = [];
  for (const [topicPropertyPath, name, type, unit] of VARIABLES) {
    const classificationType = CLASSIFICATIONS[topicPropertyPath];
    const body = {
      topicPropertyPath,
      name,
      type,
      isLoggingEnabled: true,
      ...(unit ? { unit } : {}),
      ...(classificationType ? { classificationType } : {}),
    };
    variables.push(await make(operations.createVariable, body, { deviceId: device.id }));
  }
  const group = await make(operations.createAlarmGroup, {
    name: 'Operators',
    subscriptions: [{ kind: 'EMAIL', email: 'operators@example.com' }],
  });
  const alarm = await make(operations.createAlarm, {
    name: 'Oil pressure low',
    isActive: true,
    deviceId: device.id,
    deviceVariableId: variables[2].id,
    operator: 'LESS_THAN',
    thresholdValueNumber: 3.7,
    severity: 'CRITICAL',
    isAcknowledgeable: true,
    alarmGroupId: group.id,
  });
  const asset = await make(operations.createAsset, {
    name: 'Generator 1',
    classificationType: 'ELECTRICAL_GENERATOR',
    locationId: location.id,
    classificationDetails: { make: 'Acme', model: 'G500', ratedKw: 500 },
  });
  await make(operations.createAsset, { name: 'Radiator fan', parentId: asset.id });
  const variableIds = variables.map(({ id }) => id);
  await make(operations.bindVariables, { variableIds, action: 'CONNECT' }, { assetId: asset.id });
  const dashboard = await make(operations.createDashboard, {
    name: 'Plant room',
    isPublic: true,
    configuration: { version: 1, widgets: widgetsOf(variableIds, asset.id) },
  });
  await make(
    operations.publishDashboard,
    { comment: 'First version' },
    { dashboardId: dashboard.id },
  );
  await make(operations.createWebhook, { name: 'On-call', url: 'https://example.com/alarms' });
  await make(operations.createHeartbeat, {
    name: 'Watchdog',
    kind: 'UPTIME_KUMA',
    url: 'http://10.0.0.3/api/push/k3y',
  });
  await make(operations.createPhoneChannel, {
    name: 'Router',
    kind: 'SMS',
    method: 'GET',
    url: 'http://10.0.0.1/cgi-bin/sms_send?number={{digits}}&text={{text}}',
  });
  await make(operations.createHomeAssistantConnection, {
    name: 'Control room',
    url: 'mqtt://10.0.0.2',
  });
  const sensor = await fillLorawan(make);
  await make(operations.createVariableFolder, { name: 'Engine' });
  const page = await fillPaging(server, make);
  const window = await make(operations.createMaintenanceWindow, {
    ...{ scope: { locationIds: [south.id] }, reason: 'Weekly test run', mode: 'TEST' },
    recurrence: {
      ...{ kind: 'WEEKLY', weekdays: ['MONDAY', 'THURSDAY'], startTime: '08:00' },
      ...{ durationMinutes: 120, timeZone: 'Europe/Vienna', untilDate: null },
    },
  });
  const now = server.clock.now();
  const dataArray = [];
  for (let at = now - 24 * HOUR_MS; at < now; at += STEP_MS) {
    for (const [key, , , , value] of VARIABLES) {
      dataArray.push({ key, value: value(at), timestamp: Math.round(at) });
    }
  }
  const params = { organizationId, deviceId: device.id };
  await make(operations.writeReadings, { dataArray }, params);
  const last = { engine: { oil: 3.1, coolant: { temp: 81.5 } }, battery: { volts: 26.1 } };
  await make(operations.writeReadings, { data: last }, params);
  const { items } = await make(operations.listAlarmHistory, {
    startTime: now,
    endTime: now + HOUR_MS,
  });
  return {
    deviceId: device.id,
    sensorId: sensor.id,
    pageId: page.id,
    windowId: window.id,
    variableId: variables[0].id,
    assetId: asset.id,
    alarmId: alarm.id,
    eventId: items[0].id,
    locationId: location.id,
    dashboardId: dashboard.id,
  };
}

function widgetsOf([rpm, power, oil, normal]: readonly string[], assetId: string) {
  return [
    { id: 'a', type: 'VALUE', title: 'Engine speed', x: 0, y: 0, w: 3, h: 2, variableId: rpm },
    {
      id: 'b',
      type: 'GAUGE',
      title: 'Oil pressure',
      x: 3,
      y: 0,
      w: 3,
      h: 2,
      variableId: oil,
      min: 0,
      max: 6,
    },
    {
      id: 'c',
      type: 'CHART',
      title: 'Power',
      x: 0,
      y: 2,
      w: 6,
      h: 4,
      variableIds: [power],
      rangeSeconds: 86_400,
    },
    {
      id: 'd',
      type: 'STATE_TIMELINE',
      title: 'Source',
      x: 6,
      y: 0,
      w: 6,
      h: 2,
      variableIds: [normal],
      rangeSeconds: 86_400,
    },
    { id: 'e', type: 'ALARM_LIST', title: 'Alarms', x: 6, y: 2, w: 6, h: 4 },
    { id: 'f', type: 'ASSET_TABLE', title: 'Assets', x: 0, y: 6, w: 6, h: 3, assetIds: [assetId] },
    {
      id: 'g',
      type: 'TEXT',
      title: 'Notes',
      x: 6,
      y: 6,
      w: 6,
      h: 3,
      text: 'Call the plant room: 1234',
    },
    { id: 'h', type: 'MAP', title: 'Where', x: 0, y: 9, w: 6, h: 5 },
    { id: 'i', type: 'RADAR', x: 6, y: 9, w: 6, h: 2 },
  ];
}
