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
  rotas: operations.updateRota.body,
  alarmGroups: operations.updateAlarmGroup.body,
  escalationPolicies: operations.updateEscalationPolicy.body,
  alarms: operations.updateAlarm.body,
  assets: operations.updateAsset.body,
  dashboards: operations.updateDashboard.body,
};

/** The Device of an Alarm follows from its Variable, a credential is never shown, and an override is for a few days. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  alarms: ['deviceId'],
  webhooks: ['credential'],
  rotas: ['overrides'],
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
    const missing = fieldsOf(schema).filter((field) => !known.includes(field));
    expect(missing).toEqual(LEFT_OUT[kind] ?? []);
  },
);
