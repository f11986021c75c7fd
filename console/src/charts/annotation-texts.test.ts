import { describe, expect, it } from 'vitest';
import type { AlarmEvent, AuditEntry } from '../service/index.ts';
import { changeAnnotations, eventAnnotations, presenceAnnotations } from './annotation-texts.ts';

const at = (second: number) => new Date(second * 1000).toISOString();

describe('annotations of a chart', () => {
  it('are when an alarm was raised, acknowledged and commented on', () => {
    const event: Partial<AlarmEvent> = {
      id: 'e',
      alarmName: 'Oil pressure low',
      severity: 'CRITICAL',
      raisedDateTime: at(1),
      acknowledgedDateTime: at(3),
      acknowledgedBy: 'ada@example.com',
      notes: [{ id: 'n', text: 'On my way', author: 'ada@example.com', createdDateTime: at(4) }],
    };
    const path = '/alarms/history/e';
    expect(eventAnnotations([event as AlarmEvent])).toEqual([
      { ms: 1_000, kind: 'alarm', text: 'Oil pressure low, Critical, raised', path },
      {
        ms: 3_000,
        kind: 'acknowledgement',
        text: 'Oil pressure low acknowledged by ada@example.com',
        path,
      },
      { ms: 4_000, kind: 'note', text: 'ada@example.com: On my way', path },
    ]);
  });

  it('are changes of records, with who made them', () => {
    const entry: Partial<AuditEntry> = {
      occurredDateTime: at(2),
      operation: 'updateAlarm',
      actor: { kind: 'USER', id: 'u', name: 'Ada' },
    };
    const [found] = changeAnnotations([entry as AuditEntry]);
    expect(found).toMatchObject({ ms: 2_000, kind: 'change' });
    expect(found?.text).toMatch(/ by Ada$/);
  });

  it('are when a Device went offline and came online, and not its first known state', () => {
    const segments = [
      { startTime: 10, value: true },
      { startTime: 20, value: false },
      { startTime: 30, value: true },
    ];
    expect(presenceAnnotations('Pump', segments).map(({ ms, text }) => [ms, text])).toEqual([
      [20, 'Pump went offline'],
      [30, 'Pump came online'],
    ]);
  });
});
