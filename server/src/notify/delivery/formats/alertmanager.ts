import { isoDateTime } from '../../../runtime/index.ts';
import type { EventMessage, TextMessage } from '../../fan-out/index.ts';
import { bearer, type Format, type FormattedRequest, jsonRequest, summaryOf } from './format.ts';

interface Destination {
  readonly url: string;
  readonly publicUrl: string | null;
  readonly credential: string | null;
}

/** The API v2 of a Prometheus Alertmanager: one alert for each event. */
export const alertmanager: Format = ({ message, ...destination }) => {
  if (message.type === 'text') return textRequest(message, destination);
  const messages = message.type === 'alarm.digest' ? message.data.messages : [message];
  return alertsRequest(messages, destination);
};

export function alertsRequest(
  messages: readonly EventMessage[],
  { url, publicUrl, credential }: Destination,
): FormattedRequest {
  const alerts = messages.map((each) => alertOf(each, publicUrl));
  return jsonRequest(url, alerts, bearer(credential));
}

/** It ends by itself, since nothing clears it. */
const TEXT_MS = 5 * 60_000;

function textRequest(
  message: TextMessage,
  { url, publicUrl, credential, deliveryId }: Destination & { readonly deliveryId: string },
): FormattedRequest {
  const { title, lines, link } = summaryOf(message, publicUrl);
  const alert = {
    labels: { alertname: 'Fieldwatch', severity: 'info', event_id: deliveryId },
    annotations: { summary: title, description: lines.join('\n') },
    startsAt: message.timestamp,
    endsAt: isoDateTime(Date.parse(message.timestamp) + TEXT_MS),
    ...(link === null ? {} : { generatorURL: link }),
  };
  return jsonRequest(url, [alert], bearer(credential));
}

/** Labels identify an alert, so they are the same while the event is open and when it clears. */
function alertOf(message: EventMessage, publicUrl: string | null): object {
  const { data, context } = message;
  const { title, lines, link } = summaryOf({ ...message, type: 'alarm.raised' }, publicUrl);
  const location = (context?.locationPath ?? []).join(' / ');
  return {
    labels: {
      alertname: data.alarmName,
      severity: data.severity.toLowerCase(),
      device: data.deviceName,
      variable: data.deviceVariableName,
      ...(location === '' ? {} : { location }),
      event_id: data.id,
    },
    annotations: {
      summary: title,
      description: lines.join('\n'),
      ...(data.acknowledgedBy === null ? {} : { acknowledged_by: data.acknowledgedBy }),
    },
    startsAt: data.raisedDateTime,
    ...(data.clearedDateTime === null ? {} : { endsAt: data.clearedDateTime }),
    ...(link === null ? {} : { generatorURL: link }),
  };
}
