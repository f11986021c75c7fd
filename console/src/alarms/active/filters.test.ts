import { describe, expect, it } from 'vitest';
import type { AlarmEvent } from '../../service/index.ts';
import {
  type AlarmFacts,
  type AlarmFilters,
  filterCount,
  matches,
  parseFilters,
} from './filters.ts';

const event = {
  severity: 'HIGH',
  deviceId: 'generator',
  alarmName: 'Fuel low',
  deviceName: 'Generator 1',
  deviceVariableName: 'Fuel level',
  isAcknowledgeable: true,
  acknowledgedDateTime: null,
} as AlarmEvent;
const facts: AlarmFacts = {
  siteId: 'linz',
  siteName: 'Linz',
  isShelved: false,
  assigneeId: null,
};
const isMatch = (filters: AlarmFilters, given: Partial<AlarmFacts> = {}) =>
  matches(filters, event, { ...facts, ...given }, 'me');

describe('an active alarm matches', () => {
  it('a search when each word is in a name of Alarm, Device, Variable or site', () => {
    expect(isMatch({ search: 'fuel LINZ' })).toBe(true);
    expect(isMatch({ search: 'fuel Graz' })).toBe(false);
    expect(isMatch({ search: ' ' })).toBe(true);
  });

  it.each([
    [{ severities: ['HIGH', 'LOW'] }, true],
    [{ severities: ['LOW'] }, false],
    [{ sites: ['linz'] }, true],
    [{ sites: ['graz'] }, false],
    [{ devices: ['generator'] }, true],
    [{ devices: ['pump'] }, false],
    [{ acknowledgement: 'UNACKNOWLEDGED' }, true],
    [{ acknowledgement: 'ACKNOWLEDGED' }, false],
    [{ assigned: 'NOBODY' }, true],
    [{ assigned: 'ME' }, false],
    [{ shelved: 'ONLY' }, false],
    [{ severities: ['HIGH'], sites: ['graz'] }, false],
  ] as const)('the filters %j: %s', (filters, expected) => {
    expect(isMatch(filters)).toBe(expected);
  });

  it('while it is shelved only where shelved ones are included', () => {
    const isShelved = { isShelved: true };
    expect(isMatch({}, isShelved)).toBe(false);
    expect(isMatch({ shelved: 'INCLUDED' }, isShelved)).toBe(true);
    expect(isMatch({ shelved: 'ONLY' }, isShelved)).toBe(true);
  });

  it('as mine when it is assigned to me', () => {
    expect(isMatch({ assigned: 'ME' }, { assigneeId: 'me' })).toBe(true);
    expect(isMatch({ assigned: 'NOBODY' }, { assigneeId: 'me' })).toBe(false);
  });
});

it('filters in an address are read one by one, and unusable ones are ignored', () => {
  expect(
    parseFilters({ severities: 'HIGH', sites: ['linz'], assigned: 'YOU', grouping: 'flat' }),
  ).toEqual({ severities: ['HIGH'], sites: ['linz'], grouping: 'flat' });
  expect(filterCount(parseFilters({ search: 'x', grouping: 'flat', shelved: 'ONLY' }))).toBe(1);
});
