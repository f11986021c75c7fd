import { describe, expect, it } from 'vitest';
import type { CachedDevice, VariableRef } from '../variables/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import { NO_TIMESTAMP } from './decode/time.ts';
import type { Sample } from './decode/walk.ts';
import { Matching } from './match.ts';

const variable = (type: VariableRef['type'], path: string): VariableRef => ({
  seriesId: 1,
  id: path,
  organizationId: 'organization',
  deviceId: 'device',
  type,
  isLoggingEnabled: true,
  path,
});

const speed = variable('NUMBER', 'engine.rpm');
const mode = variable('STRING', 'engine.mode');
const running = variable('BOOLEAN', 'engine.on');

const device: CachedDevice = {
  index: 0,
  deviceId: 'device',
  organizationId: 'organization',
  parentDeviceId: null,
  takesReadings: true,
  passwordHash: 'none',
  variables: new Map([speed, mode, running].map((each) => [each.path, each])),
};

const sample = (path: string, value: string | number | boolean) => ({ path, value, at: 5 });

function match(device: CachedDevice, samples: readonly Sample[]) {
  const matching = new Matching(device, 5, new ArrivalTimes(0));
  for (const { path, value, at } of samples) matching.take(path, value, at);
  return matching;
}

describe('a sample', () => {
  it('belongs to the Variable of exactly its path', () => {
    const odd = ['engine', 'engine.rp', 'engine.rpm.', 'Engine.rpm', 'engine/rpm', '__proto__'];
    const samples = [sample('engine.rpm', 1), ...odd.map((path) => sample(path, 1))];
    const { readings, rejected, unmatched } = match(device, samples);
    expect(readings).toEqual([{ variable: speed, at: 5, value: 1, isAhead: false }]);
    expect(rejected).toEqual(odd.map((key) => ({ key, reason: 'unknownPath' })));
    expect(unmatched.map(({ path }) => path)).toEqual(odd);
  });

  it('belongs to that Variable also where another one followed before', () => {
    const orders = ['rpm mode on', 'rpm on mode', 'rpm none on', 'on rpm rpm mode', 'rpm mode on'];
    const values = { rpm: 1, mode: 'idle', on: true, none: 0 };
    for (const order of orders) {
      const keys = order.split(' ') as (keyof typeof values)[];
      const { readings } = match(
        device,
        keys.map((key) => sample(`engine.${key}`, values[key])),
      );
      expect(readings.map(({ variable }) => variable.path)).toEqual(
        keys.filter((key) => key !== 'none').map((key) => `engine.${key}`),
      );
    }
  });

  it('is converted to the type of its Variable, and a wrong type is no unmatched path', () => {
    const good = [
      sample('engine.rpm', 0),
      sample('engine.mode', ''),
      sample('engine.on', 1),
      sample('engine.on', false),
    ];
    const bad = [
      sample('engine.rpm', true),
      sample('engine.rpm', '1'),
      sample('engine.mode', 1),
      sample('engine.on', 2),
      sample('engine.on', 'true'),
    ];
    const { readings, rejected, unmatched } = match(device, [...good, ...bad]);
    expect(readings.map(({ value }) => value)).toEqual([0, '', true, false]);
    expect(rejected).toEqual(bad.map(({ path }) => ({ key: path, reason: 'wrongType' })));
    expect(unmatched).toEqual([]);
  });

  it('without a timestamp gets its arrival time, after the previous one of its Variable', () => {
    const at = (each: Sample, stated: number) => ({ ...each, at: stated });
    const { readings, unmatched } = match(device, [
      at(sample('engine.rpm', 1), NO_TIMESTAMP),
      at(sample('engine.rpm', 2), NO_TIMESTAMP),
      at(sample('engine.rpm', 3), 5),
      at(sample('engine.rpm', 4), 6),
      at(sample('nowhere', 1), NO_TIMESTAMP),
    ]);
    expect(readings.map(({ at, isAhead }) => [at, isAhead])).toEqual([
      [5, false],
      [6, false],
      [5, false],
      [6, true],
    ]);
    expect(unmatched).toEqual([{ path: 'nowhere', value: 1, at: 5 }]);
  });
});
