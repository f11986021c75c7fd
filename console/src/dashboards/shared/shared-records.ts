import type { SharedDashboard, SharedState } from '@fieldwatch/contract';
import type { Alarm, AlarmEvent, Asset, Device, Location, Variable } from '../../service/index.ts';

/** The fields of records that widgets use; others are not shared. */
type Shared<T, K extends keyof T> = Pick<T, K>;

export type SharedVariable = Shared<
  Variable,
  | 'id'
  | 'name'
  | 'type'
  | 'unit'
  | 'classificationType'
  | 'deviceId'
  | 'isLoggingEnabled'
  | 'description'
  | 'folderId'
>;

export function variableRecord(variable: SharedDashboard['variables'][number]): SharedVariable {
  const { deviceName: _, classificationType, unit, ...fields } = variable;
  return {
    ...fields,
    unit,
    classificationType,
    isLoggingEnabled: true,
    description: null,
    folderId: null,
  };
}

export function deviceRecord({
  deviceId: id,
  deviceName: name,
}: SharedDashboard['variables'][number]): Shared<Device, 'id' | 'name'> {
  return { id, name };
}

type SharedAsset = Shared<Asset, 'id' | 'name' | 'classificationType' | 'locationId'> & {
  readonly variables: readonly SharedVariable[];
};

export function assetRecord(
  { variableIds, ...asset }: SharedDashboard['assets'][number],
  variables: SharedDashboard['variables'],
): SharedAsset {
  const bound = variables.filter(({ id }) => variableIds.includes(id));
  return { ...asset, variables: bound.map(variableRecord) };
}

export function locationRecord(
  location: SharedDashboard['locations'][number],
): Shared<Location, 'id' | 'name' | 'latitude' | 'longitude'> {
  return location;
}

type SharedAlarm = Shared<
  Alarm,
  | 'name'
  | 'deviceVariableId'
  | 'operator'
  | 'severity'
  | 'thresholdValueNumber'
  | 'thresholdValueString'
  | 'thresholdValueBoolean'
>;

export function alarmRecord(threshold: SharedDashboard['thresholds'][number]): SharedAlarm {
  const { variableId, alarmName, operator, severity, value } = threshold;
  return {
    name: alarmName,
    deviceVariableId: variableId,
    operator,
    severity,
    thresholdValueNumber: typeof value === 'number' ? value : null,
    thresholdValueString: typeof value === 'string' ? value : null,
    thresholdValueBoolean: typeof value === 'boolean' ? value : null,
  };
}

type SharedEvent = Shared<
  AlarmEvent,
  | 'id'
  | 'alarmName'
  | 'severity'
  | 'deviceVariableId'
  | 'assetIds'
  | 'raisedDateTime'
  | 'raisedValue'
  | 'clearedDateTime'
>;

export function eventRecord(alarm: SharedState['alarms'][number]): SharedEvent {
  const { id, alarmName, severity, variableId, assetIds, raisedDateTime, raisedValue } = alarm;
  return {
    id,
    alarmName,
    severity,
    deviceVariableId: variableId,
    assetIds,
    raisedDateTime,
    raisedValue,
    clearedDateTime: null,
  };
}
