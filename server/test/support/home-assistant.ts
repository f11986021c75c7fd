import { Ajv } from 'ajv';

/*
 * What Home Assistant takes as a discovery message of a device, from its documentation of MQTT
 * (device discovery payload, availability), of MQTT sensors and binary sensors, and of the units of
 * the device classes of sensors.
 */

const text = { type: 'string', minLength: 1 };
const topic = { type: 'string', pattern: '^[^#+\\u0000]+$' };
const closed = { type: 'object', additionalProperties: false };

/** A component of which only the platform is left is removed. */
const removed = {
  ...closed,
  required: ['p'],
  properties: { p: { enum: ['sensor', 'binary_sensor'] } },
};

const shared = { name: text, unique_id: text, state_topic: topic };

const binarySensor = {
  ...closed,
  required: ['p', 'unique_id', 'state_topic'],
  properties: { p: { const: 'binary_sensor' }, ...shared },
};

const sensor = {
  ...closed,
  required: ['p', 'unique_id', 'state_topic'],
  properties: {
    p: { const: 'sensor' },
    ...shared,
    unit_of_measurement: text,
    device_class: text,
    state_class: { enum: ['measurement', 'total', 'total_increasing'] },
  },
  // A class without its unit, or with another one, is refused.
  dependentRequired: { device_class: ['unit_of_measurement'] },
};

const device = {
  ...closed,
  required: ['ids', 'name'],
  properties: {
    ids: { type: 'array', minItems: 1, items: text },
    name: text,
    sa: text,
    cu: { type: 'string', pattern: '^(https?|homeassistant)://' },
  },
};

const SCHEMA = {
  ...closed,
  // Both are mandatory in a device discovery payload, and belong to its root.
  required: ['dev', 'o', 'cmps'],
  properties: {
    dev: device,
    o: { ...closed, required: ['name'], properties: { name: text, sw: text, url: text } },
    cmps: { type: 'object', additionalProperties: { anyOf: [sensor, binarySensor, removed] } },
    availability: {
      type: 'array',
      items: {
        ...closed,
        required: ['topic'],
        properties: { topic, payload_available: text, payload_not_available: text },
      },
    },
    availability_mode: { enum: ['all', 'any', 'latest'] },
    qos: { enum: [0, 1, 2] },
  },
};

const isDiscovery = new Ajv({ strict: false }).compile(SCHEMA);

/** The units of the classes that are used here, as the documentation lists them. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  apparent_power: ['mVA', 'VA', 'kVA'],
  current: ['A', 'mA'],
  duration: ['d', 'h', 'min', 's', 'ms', 'µs'],
  energy: ['J', 'kJ', 'MJ', 'GJ', 'mWh', 'Wh', 'kWh', 'MWh', 'GWh', 'TWh', 'cal', 'kcal'],
  frequency: ['Hz', 'kHz', 'MHz', 'GHz'],
  illuminance: ['lx'],
  irradiance: ['W/m²', 'BTU/(h⋅ft²)'],
  power: ['mW', 'W', 'kW', 'MW', 'GW', 'TW'],
  pressure: ['Pa', 'kPa', 'hPa', 'bar', 'cbar', 'mbar', 'mmHg', 'inHg', 'inH₂O', 'psi'],
  reactive_power: ['mvar', 'var', 'kvar'],
  signal_strength: ['dB', 'dBm'],
  temperature: ['°C', '°F', 'K'],
  voltage: ['V', 'mV', 'µV', 'kV', 'MV'],
  weight: ['kg', 'g', 'mg', 'µg', 'oz', 'lb', 'st'],
};

/** The only state classes that a class of meters takes. */
const STATE_CLASSES: Readonly<Record<string, readonly string[]>> = {
  energy: ['total', 'total_increasing'],
};

interface Component {
  readonly device_class?: string;
  readonly unit_of_measurement?: string;
  readonly state_class?: string;
}

/** What Home Assistant would refuse in a discovery message. */
export function discoveryProblems(message: string): string[] {
  const content = JSON.parse(message) as { cmps: Record<string, Component> };
  if (!isDiscovery(content)) {
    return (isDiscovery.errors ?? []).map(
      ({ instancePath, message: why }) => `${instancePath} ${why}`,
    );
  }
  return Object.values(content.cmps).flatMap((component) => {
    const {
      device_class: name,
      unit_of_measurement: unit = '',
      state_class: state = '',
    } = component;
    if (name === undefined) return [];
    const isUnit = UNITS[name]?.includes(unit) ?? false;
    const isState = STATE_CLASSES[name]?.includes(state) ?? state === 'measurement';
    return [
      ...(isUnit ? [] : [`the unit ${unit} is not valid together with ${name}`]),
      ...(isState ? [] : [`the state class ${state} is not valid together with ${name}`]),
    ];
  });
}
