import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { escapeControls, isoDateTime } from '../../runtime/index.ts';
import type {
  DigestMessage,
  EventContext,
  EventMessage,
  Message,
  TextMessage,
} from '../fan-out/index.ts';

/** A mail as a person reads it. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type EventData = EventMessage['data'];

const HAPPENED = {
  'alarm.raised': 'Raised',
  'alarm.cleared': 'Cleared',
  'alarm.acknowledged': 'Acknowledged',
} as const;

const CONDITIONS = {
  LESS_THAN: 'below',
  LESS_THAN_OR_EQUAL: 'at or below',
  GREATER_THAN: 'above',
  GREATER_THAN_OR_EQUAL: 'at or above',
  EQUAL: 'equal to',
  NOT_EQUAL: 'not equal to',
} as const;

const CLEARED_REASONS: Readonly<Record<string, string>> = {
  RECOVERED: 'the value is back to normal',
  DISABLED: 'the alarm was disabled',
  ARCHIVED: 'the alarm was archived',
  RECONFIGURED: 'the alarm was changed',
};

const NO_CONTEXT: EventContext = { unit: null, locationPath: [], timeZone: null };

export function mailOf(message: Message | TextMessage, publicUrl: string | null): Mail {
  if (message.type === 'text') return textMail(message, publicUrl);
  return message.type === 'alarm.digest'
    ? digestMail(message, publicUrl)
    : eventMail(message, publicUrl);
}

/** The facts of an event by name, in the order in which a person reads them. */
export function factsOf(message: EventMessage): (readonly [string, string])[] {
  return rowsOf(message).map(([name, value]) => [name, escapeControls(value)] as const);
}

export function linkOf(message: Message | TextMessage, publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  if (message.type === 'text') {
    return message.data.path === null ? null : `${publicUrl}${message.data.path}`;
  }
  const { type, data } = message;
  return type === 'alarm.digest'
    ? `${publicUrl}/alarms/history`
    : `${publicUrl}/alarms/events/${data.id}`;
}

function textMail(message: TextMessage, publicUrl: string | null): Mail {
  const { data } = message;
  const subject = escapeControls(data.subject);
  const lines = data.lines.map(escapeControls);
  const link = linkOf(message, publicUrl);
  return {
    subject,
    text: [...lines, ...linkLines(link)].join('\n').concat('\n'),
    html: page(subject, `<p>${lines.map(escaped).join('<br>')}</p>${htmlLink(link)}`),
  };
}

function eventMail(message: EventMessage, publicUrl: string | null): Mail {
  const subject = escapeControls(`${prefixOf(message)} ${titleOf(message)}`);
  const link = linkOf(message, publicUrl);
  const rows = factsOf(message);
  return {
    subject,
    text: [subject, '', ...rows.map(([name, value]) => `${name}: ${value}`), ...linkLines(link)]
      .join('\n')
      .concat('\n'),
    html: page(subject, `<table>${rows.map(htmlRow).join('')}</table>${htmlLink(link)}`),
  };
}

function prefixOf({ type, data }: EventMessage): string {
  return type === 'alarm.raised' ? `[${data.severity}]` : `[${data.severity}] ${HAPPENED[type]}:`;
}

const devicesText = (count: number) => (count === 1 ? '1 Device' : `${count} Devices`);

function titleOf({ data, context }: EventMessage): string {
  const behind = context?.devicesBehind
    ? `, and ${devicesText(context.devicesBehind)} behind it`
    : '';
  return `${data.alarmName}: ${data.deviceName}${behind}`;
}

function rowsOf(message: EventMessage): (readonly [string, string])[] {
  const { type, timestamp, data, context = NO_CONTEXT } = message;
  const timeOf = (dateTime: string) => localTime(dateTime, context.timeZone);
  const rows: (readonly [string, string | null])[] = [
    ['Status', `${HAPPENED[type]}, reported at ${timeOf(timestamp)}`],
    ['Alarm', data.alarmName],
    ['Severity', data.severity],
    ['Device', data.deviceName],
    ['Location', context.locationPath.length === 0 ? null : context.locationPath.join(' / ')],
    ['Variable', data.deviceVariableName],
    ['Condition', conditionOf(data, context)],
    ['Raised', `${timeOf(data.raisedDateTime)}, at ${valueText(data.raisedValue, context)}`],
    ['Cleared', clearedText(data, context)],
    [
      'Acknowledged',
      data.acknowledgedBy &&
        data.acknowledgedDateTime &&
        `${timeOf(data.acknowledgedDateTime)}, by ${data.acknowledgedBy}`,
    ],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function conditionOf(data: EventData, context: EventContext): string {
  const threshold = valueText(data.thresholdValue, context);
  return `${data.deviceVariableName} is ${CONDITIONS[data.operator]} ${threshold}`;
}

/** A unit belongs to numbers: text and switches have none. */
export function valueText(value: EventData['thresholdValue'], { unit }: EventContext): string {
  return typeof value === 'number' && unit !== null ? `${value} ${unit}` : String(value);
}

function clearedText(data: EventData, context: EventContext): string | null {
  if (data.clearedDateTime === null) return null;
  const value = data.clearedValue === null ? '' : `, at ${valueText(data.clearedValue, context)}`;
  const reason = CLEARED_REASONS[data.clearedReason ?? ''] ?? data.clearedReason;
  return `${localTime(data.clearedDateTime, context.timeZone)}${value} (${reason})`;
}

/** A moment where the Device is, with UTC beside it; UTC alone where no time zone is known. */
function localTime(dateTime: string, timeZone: string | null): string {
  const moment = Date.parse(dateTime);
  const utc = `${isoDateTime(moment).slice(0, 19).replace('T', ' ')} UTC`;
  const zone = zoneOf(timeZone);
  if (zone === null) return utc;
  const parts = new Map(zone.formatToParts(moment).map(({ type, value }) => [type, value]));
  const named = (...types: Intl.DateTimeFormatPartTypes[]) =>
    types.map((type) => parts.get(type) ?? '');
  const date = named('year', 'month', 'day').join('-');
  const time = named('hour', 'minute', 'second').join(':');
  return `${date} ${time} ${parts.get('timeZoneName')} (${utc})`;
}

/** Null also for a name that this system does not know. */
function zoneOf(timeZone: string | null): Intl.DateTimeFormat | null {
  if (timeZone === null) return null;
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'shortOffset',
    });
  } catch {
    return null;
  }
}

/** The lines of a digest: its counts, the first events, and how many more there are. */
export function digestLines({ data }: DigestMessage): { counts: string[]; named: string[] } {
  const counts = Object.entries(data.counts).map(
    ([kind, bySeverity]) =>
      `${kind}: ${Object.entries(bySeverity)
        .map(([severity, count]) => `${count} ${severity}`)
        .join(', ')}`,
  );
  const named = data.messages.map(digestLine);
  const more = data.count - named.length;
  return { counts, named: [...named, ...(more > 0 ? [`and ${more} more`] : [])] };
}

function digestMail(message: DigestMessage, publicUrl: string | null): Mail {
  const { data } = message;
  const subject = escapeControls(`[${worstOf(data.counts)}] ${digestTitle(data)}`);
  const { counts, named } = digestLines(message);
  const link = linkOf(message, publicUrl);
  const items = named.map((line) => `<li>${escaped(line)}</li>`).join('');
  return {
    subject,
    text: [subject, '', ...counts, '', ...named, ...linkLines(link)].join('\n').concat('\n'),
    html: page(
      subject,
      `<p>${counts.map(escaped).join('<br>')}</p><ul>${items}</ul>${htmlLink(link)}`,
    ),
  };
}

function digestTitle({ cause, count }: DigestMessage['data']): string {
  const alarms = count === 1 ? '1 alarm' : `${count} alarms`;
  if (cause?.kind === 'MAINTENANCE_ENDED')
    return `${alarms} active after maintenance: ${cause.name}`;
  if (cause?.kind === 'DEVICE_OFFLINE') return `${cause.name} is offline: ${alarms} behind it`;
  if (cause?.kind === 'STILL_OFFLINE') return `${alarms} still active behind ${cause.name}`;
  return `${count} alarm messages within a short time`;
}

function digestLine(message: EventMessage): string {
  const { type, timestamp, data, context = NO_CONTEXT } = message;
  const place = context.locationPath.length === 0 ? '' : `, ${context.locationPath.join(' / ')}`;
  const time = localTime(timestamp, context.timeZone);
  return escapeControls(
    `${time} ${HAPPENED[type]} [${data.severity}] ${titleOf(message)}${place}: ${conditionOf(data, context)}`,
  );
}

/** Counts list the gravest first, within each thing that happened. */
export function worstOf(counts: DigestMessage['data']['counts']): Severity {
  const present = new Set(Object.values(counts).flatMap((each) => Object.keys(each)));
  return [...SEVERITIES].reverse().find((each) => present.has(each)) ?? 'INFO';
}

function linkLines(link: string | null): string[] {
  return link === null ? [] : ['', link];
}

function htmlLink(link: string | null): string {
  return link === null ? '' : `<p><a href="${escaped(link)}">Open in Fieldwatch</a></p>`;
}

function htmlRow([name, value]: readonly [string, string]): string {
  return `<tr><th align="left">${escaped(name)}</th><td>${escaped(value)}</td></tr>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html><body><h2>${escaped(title)}</h2>${body}</body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
