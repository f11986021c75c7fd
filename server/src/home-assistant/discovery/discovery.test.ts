import type { VariableType } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { discoveryProblems } from '../../../test/support/home-assistant.ts';
import { discoveryMessage, platformOfState, stateOf } from './discovery.ts';
import { topicsOf } from './topics.ts';
import { deviceClassOf } from './units.ts';

const topics = topicsOf('c1', 'homeassistant');
const options = { topics, version: '1.2.3', publicUrl: null };

const messageOf = (type: VariableType, unit: string | null) =>
  discoveryMessage(
    {
      id: 'd1',
      name: 'Generator',
      locationName: null,
      variables: [{ id: 'v1', name: 'Value', type, unit }],
    },
    options,
  );

const componentOf = (type: VariableType, unit: string | null) =>
  JSON.parse(messageOf(type, unit)).cmps.v1;

describe('the discovery message of a Device', () => {
  it('names the Device, its origin, its Variables and its availability', () => {
    const device = { id: 'd1', name: 'Generator', locationName: 'North plant', variables: [] };
    const message = discoveryMessage(device, { ...options, publicUrl: 'https://w.example.com' });
    expect(discoveryProblems(message)).toEqual([]);
    expect(JSON.parse(message)).toEqual({
      dev: {
        ids: ['fieldwatch_d1'],
        name: 'Generator',
        sa: 'North plant',
        cu: 'https://w.example.com/devices/d1',
      },
      o: { name: 'Fieldwatch', sw: '1.2.3' },
      cmps: {},
      availability: [
        { topic: 'fieldwatch-home-assistant/c1/status' },
        { topic: 'fieldwatch-home-assistant/c1/d1/availability' },
      ],
      availability_mode: 'all',
      qos: 1,
    });
  });

  it.each([
    'mV',
    'V',
    'A',
    'mA',
    'W',
    'kW',
    'VA',
    'var',
    'Wh',
    'kWh',
    'MWh',
    'MJ',
    'GJ',
    'Hz',
    'kHz',
    'MHz',
    'GHz',
    '°C',
    '°F',
    'K',
    'Pa',
    'hPa',
    'kPa',
    'bar',
    'cbar',
    'mbar',
    'mmHg',
    'inHg',
    'psi',
    'ms',
    's',
    'min',
    'h',
    'd',
    'dBm',
    'lx',
    'W/m²',
    'kg',
    'g',
    'mg',
    'µg',
    'oz',
    'lb',
    'st',
  ])('gives the unit %s a device class that Home Assistant takes with it', (unit) => {
    expect(componentOf('NUMBER', unit)).toHaveProperty('device_class');
    expect(discoveryProblems(messageOf('NUMBER', unit))).toEqual([]);
  });

  it.each(['%', 'rpm', 'C', 'kVA', 'L', '', 'constructor'])(
    'gives the unit %j no device class',
    (unit) => {
      expect(deviceClassOf(unit)).toBeUndefined();
      expect(componentOf('NUMBER', unit)).not.toHaveProperty('device_class');
    },
  );

  it('makes a number a measurement, and energy a meter', () => {
    expect(componentOf('NUMBER', 'kW').state_class).toBe('measurement');
    expect(componentOf('NUMBER', null)).toEqual({
      p: 'sensor',
      unique_id: 'fieldwatch_v1',
      name: 'Value',
      state_topic: 'fieldwatch-home-assistant/c1/d1/v1',
      state_class: 'measurement',
    });
    expect(componentOf('NUMBER', 'kWh').state_class).toBe('total_increasing');
  });

  it('makes a boolean a binary sensor, and a text a sensor without a unit', () => {
    expect(componentOf('BOOLEAN', 'V')).toEqual({
      p: 'binary_sensor',
      unique_id: 'fieldwatch_v1',
      name: 'Value',
      state_topic: 'fieldwatch-home-assistant/c1/d1/v1',
    });
    expect(Object.keys(componentOf('STRING', 'V'))).toEqual([
      'p',
      'unique_id',
      'name',
      'state_topic',
    ]);
  });

  it('removes a Variable by naming nothing but its platform', () => {
    const device = { id: 'd1', name: 'Generator', locationName: null, variables: [] };
    const message = discoveryMessage(device, options, new Map([['v2', 'binary_sensor']]));
    expect(discoveryProblems(message)).toEqual([]);
    expect(JSON.parse(message).cmps).toEqual({ v2: { p: 'binary_sensor' } });
  });
});

describe('the state of an entity', () => {
  it.each([
    [true, 'ON', 'binary_sensor'],
    [false, 'OFF', 'binary_sensor'],
    [-0.5, '-0.5', 'sensor'],
    ['running', 'running', 'sensor'],
  ])('is for %j %j, of a %s', (value, state, platform) => {
    expect(stateOf(value)).toBe(state);
    expect(platformOfState(state)).toBe(platform);
  });

  it.each([254, 255, 256])('of a text with %i characters has at most 255', (length) => {
    expect(Array.from(stateOf('😀'.repeat(length)))).toHaveLength(Math.min(length, 255));
  });
});
