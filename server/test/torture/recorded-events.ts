import type { AlarmEvent } from '@fieldwatch/contract';
import { type Harness, insist } from './harness.ts';
import type { RecordedEvent } from './oracle.ts';

const PAGE = 1_000;
const END_OF_TIME = 8_640_000_000_000_000;

/** The alarm history as the server shows it, by Alarm, in the order of time. */
export async function recordedEvents(
  harness: Harness,
  filter: { readonly deviceVariableIds?: string[] } = {},
): Promise<Map<string, RecordedEvent[]>> {
  const events = new Map<string, RecordedEvent[]>();
  for (let skip = 0; ; skip += PAGE) {
    const body = { startTime: 0, endTime: END_OF_TIME, take: PAGE, skip, ...filter };
    const { items } = await insist(harness, (api, organizationId) =>
      api.listAlarmHistory({ organizationId, body }),
    );
    for (const item of items) {
      const own = events.get(item.alarmId) ?? [];
      own.push(recordedOf(item));
      events.set(item.alarmId, own);
    }
    if (items.length < PAGE) break;
  }
  for (const own of events.values()) own.sort(inTime);
  return events;
}

function recordedOf(event: AlarmEvent): RecordedEvent {
  return {
    id: event.id,
    raisedAt: Date.parse(event.raisedDateTime),
    raisedValue: event.raisedValue,
    clearedAt: event.clearedDateTime === null ? null : Date.parse(event.clearedDateTime),
    clearedValue: event.clearedValue,
    clearedReason: event.clearedReason,
  };
}

function inTime(one: RecordedEvent, other: RecordedEvent): number {
  const ended = (event: RecordedEvent) => event.clearedAt ?? Number.POSITIVE_INFINITY;
  return one.raisedAt - other.raisedAt || ended(one) - ended(other);
}
