import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import { simulate } from '../../../simulator/src/index.ts';
import { fieldwatch, startCommand } from './command.ts';
import type { TestOrganization } from './server.ts';

/** Secrets of the demo site, which files name as environment variables. */
export const SECRETS = {
  DEVICES_FUEL_SENSOR_APP_KEY: '000102030405060708090A0B0C0D0E0F',
  WEBHOOKS_ON_CALL_CHAT_URL: 'https://chat.example.com/hooks/T0AB12CD34EF56GH78',
};

/** A folder for files, and the commands in an organization. */
export interface Workspace {
  readonly folder: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): string;
  /** Replaces a text that the file has. */
  edit(name: string, from: string, to: string): void;
  /** Runs a command as the administrator of an organization. */
  run(at: TestOrganization, ...args: readonly string[]): ReturnType<typeof fieldwatch>;
  start(at: TestOrganization, ...args: readonly string[]): ReturnType<typeof startCommand>;
  /** The environment of a command with the first API key. */
  keyOf(at: TestOrganization): Record<string, string>;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwatch-configuration-'));
  const path = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  const write = (name: string, text: string) => {
    writeFileSync(path(name), text);
    return path(name);
  };
  const common = (at: TestOrganization) => ({
    FIELDWATCH_URL: at.url,
    FIELDWATCH_ORGANIZATION_ID: at.organizationId,
    ...SECRETS,
  });
  const asUser = (at: TestOrganization) => ({
    ...common(at),
    FIELDWATCH_USER: at.adminEmail,
    FIELDWATCH_PASSWORD: at.adminPassword,
  });
  return {
    folder,
    path,
    read,
    write,
    edit(name, from, to) {
      const text = read(name);
      if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
      write(
        name,
        text.replace(from, () => to),
      );
    },
    run: (at, ...args) => fieldwatch(args, asUser(at)),
    start: (at, ...args) => startCommand(args, asUser(at)),
    keyOf: (at) => ({ ...common(at), FIELDWATCH_KEY: atob(at.key.slice('Basic '.length)) }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A site of the demo, and records of the kinds and forms that it lacks. */
export async function createDemoSite(server: TestOrganization): Promise<void> {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    if (/^Dashboards: /.test(line)) stop.abort();
  };
  const exitCode = await simulate({
    args: [
      ...['--url', server.url, '--mqtt', server.mqttUrl, '--sites', '1'],
      ...['--user', `${server.adminEmail}:${server.adminPassword}`],
    ],
    defaults: { organizationId: server.organizationId },
    now: server.clock.now,
    say,
    complain: say,
    signal: stop.signal,
  });
  if (exitCode !== 0) throw new Error(said.join('\n'));
  await addOthers(server);
}

type Made = (
  operation: (typeof operations)[keyof typeof operations],
  body: object,
  params?: Readonly<Record<string, string>>,
) => Promise<{ id: string; onlineVariableId: string }>;

/** Both organizations of a test have this member. */
export const ON_CALL = {
  email: 'on-call@example.com',
  role: 'EDITOR',
  password: 'correct horse battery',
};

/** A rota, and a policy that names the alarm group that has it. */
async function addPaging(
  made: Made,
  { alarmGroupId, webhookId }: { readonly alarmGroupId: string; readonly webhookId: string },
): Promise<void> {
  const { id: userId } = await made(operations.createUser, ON_CALL);
  const turn = { rotation: 'WEEKLY', every: 1, handoffTime: '08:00', startDate: '2026-01-05' };
  const hours = [{ weekday: 'MONDAY', from: '08:00', to: '17:00' }];
  const layers = [
    { ...turn, userIds: [userId, null], handoffWeekday: 'MONDAY', hours },
    { ...turn, rotation: 'DAILY', userIds: [userId] },
  ];
  const overrides = [
    { userId, fromDateTime: '2027-01-01T00:00:00.000Z', toDateTime: '2027-01-02T00:00:00.000Z' },
  ];
  const { id: rotaId } = await made(operations.createRota, {
    ...{ name: 'Nights', timeZone: 'Europe/Vienna', sendsHandoffMail: false, layers, overrides },
  });
  const first = [
    { kind: 'ROTA', rotaId },
    { kind: 'USER', userId },
  ];
  const second = [
    { kind: 'ALARM_GROUP', alarmGroupId },
    { kind: 'WEBHOOK', webhookId },
  ];
  const { id: escalationPolicyId } = await made(operations.createEscalationPolicy, {
    name: 'Night shift',
    steps: [
      { afterSeconds: 0, targets: first },
      { afterSeconds: 600, targets: second, unless: 'CLEARED' },
    ],
    ...{ repeat: 2, acknowledgeTimeoutSeconds: 3600, groupBy: 'ASSET' },
  });
  const body = { escalationPolicyId, reminderMinutes: 30 };
  await made(operations.updateAlarmGroup, body, { alarmGroupId });
}

async function addOthers(server: TestOrganization): Promise<void> {
  const made: Made = async (operation, body, params = {}) => {
    const reply = await server.call(operation, { body, params, auth: server.administrator });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body;
  };
  const [board] = (await server.call(operations.listDashboards)).body.items;
  const [site] = (await server.call(operations.listLocations)).body.items;
  const hall = await made(operations.createLocation, { name: 'Halle „Süd“', parentId: site.id });
  const outer = await made(operations.createVariableFolder, { name: 'Engine' });
  const folder = await made(operations.createVariableFolder, { name: 'Oil', parentId: outer.id });
  await made(operations.createDevice, {
    type: 'LORAWAN_GATEWAY_EDGE',
    name: 'Radio gateway',
    configuration: { gatewayEui: '0011223344556677', rfRegion: 'US915', subBand: 2 },
  });
  const sensor = await made(operations.createDevice, {
    type: 'LORAWAN_DEVICE',
    name: 'Fuel sensor',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: files would substitute it
    description: 'Costs ${5} & has a "name": yes\nand two lines ',
    locationId: hall.id,
    configuration: {
      devEui: 'aabbccddeeff0011',
      appEui: '1122334455667788',
      appKey: SECRETS.DEVICES_FUEL_SENSOR_APP_KEY,
    },
  });
  const deviceId = sensor.id;
  await made(operations.updateOnlineWindow, { onlineMinutes: 90 }, { deviceId });
  const patch = { type: 'LORAWAN_DEVICE', isActive: false };
  await made(operations.updateDevice, patch, { deviceId });
  const level = await made(
    operations.createVariable,
    {
      topicPropertyPath: 'tank[0].level',
      type: 'NUMBER',
      name: 'yes',
      isLoggingEnabled: false,
      unit: '%',
      folderId: folder.id,
    },
    { deviceId },
  );
  const hook = await made(operations.createWebhook, {
    name: 'On-call chat',
    url: SECRETS.WEBHOOKS_ON_CALL_CHAT_URL,
  });
  await made(operations.createWebhook, { name: 'Log', url: 'http://log.example.com/alarms' });
  const group = await made(operations.createAlarmGroup, {
    name: 'Night shift',
    subscriptions: [
      { kind: 'EMAIL', email: 'night@example.com', severities: ['CRITICAL'] },
      { kind: 'WEBHOOK', webhookId: hook.id },
    ],
  });
  await addPaging(made, { alarmGroupId: group.id, webhookId: hook.id });
  await made(operations.createAlarm, {
    name: 'Fuel sensor offline',
    isActive: false,
    deviceId,
    deviceVariableId: sensor.onlineVariableId,
    operator: 'EQUAL',
    thresholdValueBoolean: false,
    alarmGroupId: group.id,
  });
  await made(operations.createAlarm, {
    name: 'Fuel low',
    isActive: true,
    deviceId,
    deviceVariableId: level.id,
    operator: 'LESS_THAN',
    thresholdValueNumber: 12.5,
    alarmGroupId: group.id,
    deadband: 2,
    clearDelaySeconds: 60,
    delayProcessingSeconds: 30,
  });
  const tank = await made(operations.createAsset, {
    name: 'Fuel tank',
    locationId: hall.id,
    dashboardId: board.id,
    classificationType: 'ELECTRICAL_GENERATOR',
    classificationDetails: { ratedKw: 1.5, runningHoursVariableIds: [level.id], own: { a: [1] } },
  });
  await made(
    operations.bindVariable,
    { variableId: level.id, action: 'CONNECT' },
    { assetId: tank.id },
  );
  const widgets = [
    { id: 'tank', type: 'TANK', x: 0, y: 0, w: 4, h: 4, assetId: tank.id },
    { id: 'map', type: 'MAP', x: 4, y: 0, w: 4, h: 4, assetIds: [tank.id], zoom: 3 },
    { id: 'value', type: 'VALUE', x: 8, y: 0, w: 4, h: 4, variableId: sensor.onlineVariableId },
    { id: 'own', type: 'MY_OWN', x: 0, y: 4, w: 1, h: 1, variableId: 'whatever', on: 'no' },
  ];
  const configuration = { version: 1, widgets, rangeSeconds: 3600 };
  await made(operations.createDashboard, { name: 'Fuel', configuration });
}
