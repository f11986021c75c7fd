import type { WebhookFormat } from '@fieldwatch/contract';
import { alertmanager } from './alertmanager.ts';
import { cloudEvents } from './cloudevents.ts';
import { discord } from './discord.ts';
import { type Format, jsonRequest } from './format.ts';
import { ntfy } from './ntfy.ts';
import { pagerDuty } from './pagerduty.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { template } from './template.ts';

export { alertsRequest } from './alertmanager.ts';
export type { FormattedRequest } from './format.ts';

/** Each turns a message into the request that its service understands. */
export const FORMATS: Readonly<Record<WebhookFormat, Format>> = {
  STANDARD: ({ url, message }) => jsonRequest(url, message),
  CLOUDEVENTS: cloudEvents,
  SLACK: slack,
  TEAMS: teams,
  DISCORD: discord,
  TELEGRAM: telegram,
  NTFY: ntfy,
  PUSHOVER: pushover,
  PAGERDUTY: pagerDuty,
  ALERTMANAGER: alertmanager,
  TEMPLATE: template,
};

const SIGNED: readonly WebhookFormat[] = ['STANDARD', 'CLOUDEVENTS', 'TEMPLATE'];

/** Whether the receiver is one of the user, who can verify signatures. */
export function isSigned(format: WebhookFormat): boolean {
  return SIGNED.includes(format);
}
