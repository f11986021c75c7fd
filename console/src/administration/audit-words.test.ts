import { describe, expect, it } from 'vitest';
import {
  fieldText,
  nameInChanges,
  readableChanges,
  referencedKind,
  valueText as textOf,
} from './audit-words.ts';

const format = { number: (value: number) => value.toLocaleString('en'), time: String };
const valueText = (value: unknown, field?: string) => textOf(value, format, field);

describe('an audit entry in words', () => {
  it('names fields as people do', () => {
    expect(fieldText('locationId')).toBe('Location');
    expect(fieldText('acknowledgedDateTime')).toBe('Acknowledged');
    expect(fieldText('untilDateTime')).toBe('Until');
    expect(fieldText('thresholdValueNumber')).toBe('Threshold');
    expect(fieldText('alarmGroupIds')).toBe('Alarm groups');
    expect(fieldText('tellsStart')).toBe('Report the start');
  });

  it('names fields as their forms do', () => {
    expect(fieldText('isLoggingEnabled')).toBe('Store history');
    expect(fieldText('isAcknowledgeable')).toBe('Events can be acknowledged');
    expect(fieldText('delayProcessingSeconds')).toBe('Delay (seconds)');
  });

  it('says values in words, and prints no JSON', () => {
    expect(valueText(true)).toBe('yes');
    expect(valueText(null)).toBe('none');
    expect(valueText(1500)).toBe('1,500');
    expect(valueText('CRITICAL')).toBe('Critical');
    expect(valueText(['HIGH', 'LOW'])).toBe('High, Low');
    expect(valueText(['018f0000-0000-7000-8000-0000000000cc'])).toBe('1 item');
    expect(valueText([{ a: 1 }, { a: 2 }])).toBe('2 items');
    expect(valueText({ gatewayEui: 'ab', subBand: 2 })).toBe('Gateway eui ab, Sub band 2');
  });

  it('counts the records of a scope, and leaves out its empty parts', () => {
    const id = '018f0000-0000-7000-8000-0000000000cc';
    const scope = { locationIds: [id], assetIds: [], deviceIds: [id, id] };
    expect(valueText(scope)).toBe('Locations 1 item, Devices 2 items');
    expect(valueText({ assetIds: [], alarmIds: [] })).toBe('none');
    expect(valueText({ kind: 'WEEKLY', range: { weekdays: ['MONDAY', 'FRIDAY'] } })).toBe(
      'Kind Weekly, Range Weekdays Monday, Friday',
    );
  });

  it('says constants in words, and leaves texts that look like one as they are', () => {
    expect(valueText('ALARM_GROUP', 'kind')).toBe('Alarm group');
    expect(valueText('CHIRPSTACK_V4', 'kind')).toBe('ChirpStack v4');
    expect(valueText('MQTT', 'ingest')).toBe('MQTT');
    expect(valueText('PUMP_2', 'name')).toBe('PUMP_2');
    expect(valueText([])).toBe('none');
  });

  it('leaves out ids, times of the record and fields without a value', () => {
    const changes = [
      { field: 'id', from: null, to: 'x' },
      { field: 'description', from: null, to: '' },
      { field: 'overrides', from: null, to: [] },
      { field: 'isActive', from: true, to: false },
      { field: 'name', from: null, to: 'Pump' },
    ];
    expect(readableChanges(changes).map(({ field }) => field)).toEqual(['isActive', 'name']);
    expect(nameInChanges(changes)).toBe('Pump');
    expect(nameInChanges([{ field: 'name', from: 'Old pump', to: null }])).toBe('Old pump');
  });

  it('knows which records a field refers to', () => {
    expect(referencedKind('Device', 'locationId')).toBe('Location');
    expect(referencedKind('Location', 'parentId')).toBe('Location');
    expect(referencedKind('LorawanDevice', 'codecId')).toBe('Codec');
    expect(referencedKind('Device', 'name')).toBeUndefined();
  });
});
