import { LIVE_HEARTBEAT_SECONDS, type LiveDevice, type LiveEndReason } from '@fieldwatch/contract';
import type { AlarmAnnouncement, LiveReading } from '../announcement.ts';

/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;

export const HEARTBEAT = ': heartbeat\n\n';

/** JSON contains no line breaks, so that every event is one line of data. */
function eventText(name: string, data: string, id?: string): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** The first event. With an id, a client can later request the alarm events after it. */
export function readyText(id: string | null): string {
  const data = JSON.stringify({ heartbeatSeconds: LIVE_HEARTBEAT_SECONDS });
  return `retry: ${RETRY_MS}\n\n${eventText('ready', data, id ?? undefined)}`;
}

/** A value with its text, which is built once for all streams. */
export interface SharedValue {
  readonly reading: LiveReading;
  text: string | null;
}

export function valueText(value: SharedValue): string {
  if (value.text === null) {
    const { variable, at, value: read } = value.reading;
    const { id: variableId, deviceId } = variable;
    value.text = JSON.stringify({ variableId, deviceId, timestamp: at, value: read });
  }
  return value.text;
}

export function readingsText(values: readonly string[]): string {
  return values.length === 0 ? '' : eventText('readings', `[${values.join(',')}]`);
}

export function deviceText(device: LiveDevice): string {
  return eventText('device', JSON.stringify(device));
}

export function alarmText({ id, change, event }: AlarmAnnouncement): string {
  return eventText('alarm', JSON.stringify({ change, event }), id);
}

export function missedText(values: number, alarmEvents: boolean): string {
  return eventText('missed', JSON.stringify({ values, alarmEvents }));
}

export function endText(reason: LiveEndReason): string {
  return eventText('end', JSON.stringify({ reason }));
}
