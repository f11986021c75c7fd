import type { TemplateContentType, WebhookFormat } from '@fieldwatch/contract';

/** What the further fields of a format are called there; a field that a format lacks has no name. */
interface FormatWords {
  readonly label: string;
  readonly hint: string;
  readonly destination?: string;
  readonly credential?: string;
}

const formats: Readonly<Record<WebhookFormat, FormatWords>> = {
  STANDARD: { label: 'Standard (signed JSON)', hint: 'For a receiver of your own.' },
  CLOUDEVENTS: { label: 'CloudEvents', hint: 'For event routers, signed.' },
  SLACK: {
    label: 'Slack, Mattermost',
    hint: 'The URL of an incoming webhook.',
    destination: 'Channel (optional)',
  },
  TEAMS: {
    label: 'Microsoft Teams',
    hint: 'The URL of a workflow that starts when a webhook request is received.',
  },
  DISCORD: { label: 'Discord', hint: 'The URL of a webhook of the channel.' },
  TELEGRAM: {
    label: 'Telegram',
    hint: 'A bot sends messages to a chat.',
    destination: 'Chat id',
    credential: 'Token of the bot',
  },
  NTFY: {
    label: 'ntfy',
    hint: 'The URL is the root of the server.',
    destination: 'Topic',
    credential: 'Access token (optional)',
  },
  PUSHOVER: {
    label: 'Pushover',
    hint: 'Messages to a user or a group.',
    destination: 'User or group key',
    credential: 'Token of the application',
  },
  PAGERDUTY: {
    label: 'PagerDuty',
    hint: 'Events API v2. Cleared events resolve their incident.',
    credential: 'Integration key',
  },
  ALERTMANAGER: {
    label: 'Prometheus Alertmanager',
    hint: 'The URL ends in /api/v2/alerts. Open events are sent again every 4 minutes.',
    credential: 'Bearer token (optional)',
  },
  TEMPLATE: {
    label: 'Template',
    hint: 'Any service that takes a POST. Placeholders are replaced by values of the event.',
    destination: 'Destination (optional)',
    credential: 'Credential (optional)',
  },
};

const contentTypes: Readonly<Record<TemplateContentType, string>> = {
  'application/json': 'JSON',
  'application/x-www-form-urlencoded': 'Form',
  'text/plain': 'Plain text',
};

/** A file of its own, since one form alone needs these texts. */
export const webhookFormats = {
  format: 'Format',
  formats,
  credentialHint: 'Leave empty to keep the stored one.',
  contentType: 'Content type',
  contentTypes,
  body: 'Body',
  bodyHint: (placeholders: string) => `Placeholders: ${placeholders}`,
};
