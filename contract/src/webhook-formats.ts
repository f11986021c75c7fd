import Type, { type Static } from 'typebox';
import { closed, oneOf, text } from './schema.ts';

export const WEBHOOK_FORMATS = [
  'STANDARD',
  'CLOUDEVENTS',
  'SLACK',
  'TEAMS',
  'DISCORD',
  'TELEGRAM',
  'NTFY',
  'PUSHOVER',
  'PAGERDUTY',
  'ALERTMANAGER',
  'TEMPLATE',
] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

type Use = 'REQUIRED' | 'OPTIONAL' | 'UNUSED';

/** Which further fields of a webhook a format has. */
export interface FormatFields {
  readonly destination: Use;
  readonly credential: Use;
  readonly template: Use;
}

const fieldsOf = (destination: Use, credential: Use, template: Use = 'UNUSED'): FormatFields => ({
  destination,
  credential,
  template,
});

export const WEBHOOK_FORMAT_FIELDS: Readonly<Record<WebhookFormat, FormatFields>> = {
  STANDARD: fieldsOf('UNUSED', 'UNUSED'),
  CLOUDEVENTS: fieldsOf('UNUSED', 'UNUSED'),
  SLACK: fieldsOf('OPTIONAL', 'UNUSED'),
  TEAMS: fieldsOf('UNUSED', 'UNUSED'),
  DISCORD: fieldsOf('UNUSED', 'UNUSED'),
  TELEGRAM: fieldsOf('REQUIRED', 'REQUIRED'),
  NTFY: fieldsOf('REQUIRED', 'OPTIONAL'),
  PUSHOVER: fieldsOf('REQUIRED', 'REQUIRED'),
  PAGERDUTY: fieldsOf('UNUSED', 'REQUIRED'),
  ALERTMANAGER: fieldsOf('UNUSED', 'OPTIONAL'),
  TEMPLATE: fieldsOf('OPTIONAL', 'OPTIONAL', 'REQUIRED'),
};

/** The URL of a format whose service has one for everybody. */
export const WEBHOOK_FORMAT_URLS: Readonly<Partial<Record<WebhookFormat, string>>> = {
  TELEGRAM: 'https://api.telegram.org',
  NTFY: 'https://ntfy.sh',
  PUSHOVER: 'https://api.pushover.net/1/messages.json',
  PAGERDUTY: 'https://events.pagerduty.com/v2/enqueue',
};

export const TEMPLATE_CONTENT_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
] as const;

export type TemplateContentType = (typeof TEMPLATE_CONTENT_TYPES)[number];

/** The names that a template may have in double braces. */
export const WEBHOOK_PLACEHOLDERS = [
  'id',
  'type',
  'title',
  'text',
  'severity',
  'alarm',
  'device',
  'variable',
  'value',
  'unit',
  'location',
  'time',
  'eventId',
  'link',
  'destination',
  'credential',
] as const;

export type WebhookPlaceholder = (typeof WEBHOOK_PLACEHOLDERS)[number];

export const format = oneOf(WEBHOOK_FORMATS);

export const destination = text(
  1,
  200,
  'Where the service delivers to: a channel, topic, chat id or user key',
);

export const credential = text(
  1,
  500,
  'The token or routing key of the service. Stored encrypted and never shown',
);

export const template = Type.Object(
  {
    contentType: oneOf(TEMPLATE_CONTENT_TYPES),
    body: text(
      1,
      10_000,
      `May contain placeholders such as \`{{title}}\`: ${WEBHOOK_PLACEHOLDERS.join(', ')}`,
    ),
  },
  closed,
);

export type WebhookTemplate = Static<typeof template>;
