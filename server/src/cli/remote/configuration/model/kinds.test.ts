import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { FIELDS, type Kind } from './kinds.ts';

/** The bodies that change a record of each kind. */
const UPDATES: Readonly<Record<Kind, object>> = {
  locations: operations.updateLocation.body,
  variableFolders: operations.updateVariableFolder.body,
  devices: operations.updateDevice.body,
  variables: operations.updateVariable.body,
  webhooks: operations.updateWebhook.body,
  alarmGroups: operations.updateAlarmGroup.body,
  alarms: operations.updateAlarm.body,
  assets: operations.updateAsset.body,
  dashboards: operations.updateDashboard.body,
};

function fieldsOf(schema: object): string[] {
  const { properties = {}, oneOf = [] } = schema as {
    properties?: object;
    oneOf?: readonly object[];
  };
  return [...Object.keys(properties), ...oneOf.flatMap(fieldsOf)];
}

it.each(Object.entries(UPDATES))(
  'files of configuration have every field of %s that can be changed',
  (kind, schema) => {
    const known = Object.values(FIELDS[kind as Kind]).map(({ api }) => api);
    // The Device of an Alarm follows from its Variable.
    const missing = fieldsOf(schema).filter((field) => !known.includes(field));
    expect(missing).toEqual(kind === 'alarms' ? ['deviceId'] : []);
  },
);
