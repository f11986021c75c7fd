import { describe, expect, it } from 'vitest';
import type { AlarmEvent } from '../service/index.ts';
import { eventsCsv } from './events-csv.ts';

const event = {
  id: 'e',
  alarmName: '=cmd|calc, "low"',
  severity: 'HIGH',
  deviceName: 'Generator',
  deviceVariableName: 'Oil',
  operator: 'LESS_THAN',
  thresholdValue: 3.5,
  raisedDateTime: '2026-11-15T06:00:00.000Z',
  raisedValue: -1,
  clearedDateTime: null,
  clearedValue: null,
  clearedReason: null,
  acknowledgedDateTime: null,
  acknowledgedBy: null,
  notes: [{ id: 'n', author: 'a@example.com', text: 'On my way', createdDateTime: '' }],
} as Partial<AlarmEvent> as AlarmEvent;

describe('eventsCsv', () => {
  it('writes one line per event and quotes cells that a spreadsheet would run as a formula', () => {
    const [, line] = eventsCsv([event]).split('\r\n');
    expect(line).toBe(
      `e,"'=cmd|calc, ""low""",HIGH,Generator,Oil,LESS_THAN,3.5,2026-11-15T06:00:00.000Z,-1,,,,,,a@example.com: On my way`,
    );
  });
});
