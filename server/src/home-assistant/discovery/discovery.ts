import type { VariableType } from '@fieldwatch/contract';
import { deviceKey, type Topics } from './topics.ts';
import { deviceClassOf } from './units.ts';

export interface PublishedVariable {
  readonly id: string;
  readonly name: string;
  readonly type: VariableType;
  readonly unit: string | null;
}

export interface PublishedDevice {
  readonly id: string;
  readonly name: string;
  readonly locationName: string | null;
  readonly variables: readonly PublishedVariable[];
}

export interface DiscoveryOptions {
  readonly topics: Topics;
  readonly version: string;
  /** The address of the console; null when it is not configured. */
  readonly publicUrl: string | null;
}

export const ONLINE = 'online';
export const OFFLINE = 'offline';
/** Home Assistant takes no longer state. */
const MAX_STATE_LENGTH = 255;

/** What a Variable is in Home Assistant. */
export type Platform = 'sensor' | 'binary_sensor';

export function platformOf(type: VariableType): Platform {
  return type === 'BOOLEAN' ? 'binary_sensor' : 'sensor';
}

/**
 * The discovery message of a Device with all its Variables. Home Assistant keeps a component that a
 * later message lacks, and removes one of which the message has the platform alone.
 */
export function discoveryMessage(
  device: PublishedDevice,
  options: DiscoveryOptions,
  removed: ReadonlyMap<string, Platform> = new Map(),
): string {
  const { topics, version, publicUrl } = options;
  const components = [
    ...device.variables.map((variable) => [
      variable.id,
      componentOf(variable, topics.state(device.id, variable.id)),
    ]),
    ...[...removed].map(([variableId, p]) => [variableId, { p }]),
  ];
  return JSON.stringify({
    dev: {
      ids: [deviceKey(device.id)],
      name: device.name,
      ...(device.locationName === null ? {} : { sa: device.locationName }),
      ...(publicUrl === null ? {} : { cu: `${publicUrl}/devices/${device.id}` }),
    },
    o: { name: 'Fieldwatch', sw: version },
    cmps: Object.fromEntries(components),
    // A Device is available while it is online and this server is connected.
    availability: [{ topic: topics.status }, { topic: topics.availability(device.id) }],
    availability_mode: 'all',
    qos: 1,
  });
}

function componentOf({ id, name, type, unit }: PublishedVariable, stateTopic: string) {
  const shared = {
    p: platformOf(type),
    unique_id: `fieldwatch_${id}`,
    name,
    state_topic: stateTopic,
  };
  if (type !== 'NUMBER') return shared;
  const deviceClass = deviceClassOf(unit);
  return {
    ...shared,
    ...(unit === null ? {} : { unit_of_measurement: unit }),
    ...(deviceClass === undefined ? {} : { device_class: deviceClass }),
    // A meter of energy may start again from zero; no other state class is valid for energy.
    state_class: deviceClass === 'energy' ? 'total_increasing' : 'measurement',
  };
}

const ON = 'ON';
const OFF = 'OFF';

/** The platform of an entity with this state. */
export function platformOfState(state: string): Platform {
  return state === ON || state === OFF ? 'binary_sensor' : 'sensor';
}

/** A value as the state of an entity. */
export function stateOf(value: number | boolean | string): string {
  if (typeof value === 'boolean') return value ? ON : OFF;
  return Array.from(String(value)).slice(0, MAX_STATE_LENGTH).join('');
}

export function availabilityOf(isOnline: boolean): string {
  return isOnline ? ONLINE : OFFLINE;
}
