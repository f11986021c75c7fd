import type { DigestMessage, EventMessage, Message } from '../telling/index.ts';

/** A mail as a person reads it. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const HAPPENED = {
  'alarm.raised': 'Raised',
  'alarm.cleared': 'Cleared',
  'alarm.acknowledged': 'Acknowledged',
} as const;

const SIGNS = {
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '≤',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '≥',
  EQUAL: '=',
  NOT_EQUAL: '≠',
} as const;

export function mailOf(message: Message, publicUrl: string | null): Mail {
  return message.type === 'alarm.digest'
    ? digestMail(message, publicUrl)
    : eventMail(message, publicUrl);
}

function eventMail(message: EventMessage, publicUrl: string | null): Mail {
  const subject = `${prefixOf(message)} ${titleOf(message)}`;
  const link = publicUrl === null ? null : `${publicUrl}/alarms/events/${message.data.id}`;
  const rows = rowsOf(message);
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

function titleOf({ data }: EventMessage): string {
  return `${data.alarmName}: ${data.deviceName}`;
}

function rowsOf({ type, timestamp, data }: EventMessage): (readonly [string, string])[] {
  const rows: (readonly [string, string | null])[] = [
    ['What happened', `${HAPPENED[type]}, known at ${timestamp}`],
    ['Alarm', data.alarmName],
    ['Severity', data.severity],
    ['Device', data.deviceName],
    ['Variable', data.deviceVariableName],
    ['Condition', `${SIGNS[data.operator]} ${data.thresholdValue}`],
    ['Raised', `${data.raisedDateTime}, at ${data.raisedValue}`],
    ['Cleared', clearedText(data)],
    [
      'Acknowledged',
      data.acknowledgedBy && `${data.acknowledgedDateTime} by ${data.acknowledgedBy}`,
    ],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function clearedText(data: EventMessage['data']): string | null {
  if (data.clearedDateTime === null) return null;
  const value = data.clearedValue === null ? '' : `, at ${data.clearedValue}`;
  return `${data.clearedDateTime}${value} (${data.clearedReason})`;
}

function digestMail({ data }: DigestMessage, publicUrl: string | null): Mail {
  const counts = Object.entries(data.counts).map(
    ([kind, bySeverity]) =>
      `${kind}: ${Object.entries(bySeverity)
        .map(([severity, count]) => `${count} ${severity}`)
        .join(', ')}`,
  );
  const worst = worstOf(data.counts);
  const subject = `[${worst}] ${data.count} alarm messages within a short time`;
  const named = data.messages.map(
    (each) =>
      `${each.timestamp} ${HAPPENED[each.type]} ${prefixOf({ ...each, type: 'alarm.raised' })} ${titleOf(each)}`,
  );
  const more = data.count - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  const link = publicUrl === null ? null : `${publicUrl}/alarms/history`;
  const items = [...named, ...rest].map((line) => `<li>${escaped(line)}</li>`).join('');
  return {
    subject,
    text: [subject, '', ...counts, '', ...named, ...rest, ...linkLines(link)]
      .join('\n')
      .concat('\n'),
    html: page(
      subject,
      `<p>${counts.map(escaped).join('<br>')}</p><ul>${items}</ul>${htmlLink(link)}`,
    ),
  };
}

/** Counts list the gravest first, within each thing that happened. */
function worstOf(counts: DigestMessage['data']['counts']): string {
  const present = new Set(Object.values(counts).flatMap((each) => Object.keys(each)));
  return ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].find((each) => present.has(each)) ?? 'INFO';
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

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
