import type { Severity } from '@fieldwatch/contract';
import type { EventMessage } from '../../fan-out/index.ts';
import { cut, type Format, jsonRequest, type Summary, summaryOf } from './format.ts';

const SEVERITY: Readonly<Record<Severity, string>> = {
  CRITICAL: 'critical',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'info',
  INFO: 'info',
};
const ACTION = {
  'alarm.raised': 'trigger',
  'alarm.acknowledged': 'acknowledge',
  'alarm.cleared': 'resolve',
} as const;
const MAX_SUMMARY = 1_024;

/** The Events API v2 of PagerDuty. The event is the incident: its id is the key of all messages. */
export const pagerDuty: Format = ({ url, deliveryId, message, publicUrl, credential }) => {
  const summary = summaryOf(message, publicUrl);
  const { title, severity, link } = summary;
  const common = { routing_key: credential };
  if (message.type === 'alarm.digest' || message.type === 'text') {
    const payload = {
      ...{ summary: cut(title, MAX_SUMMARY), source: 'Fieldwatch', severity: SEVERITY[severity] },
      custom_details: { [message.type === 'text' ? 'text' : 'events']: summary.lines },
    };
    const trigger = { event_action: 'trigger', dedup_key: deliveryId, payload };
    return jsonRequest(url, { ...common, ...trigger });
  }
  const action = { event_action: ACTION[message.type], dedup_key: message.data.id };
  if (message.type !== 'alarm.raised') return jsonRequest(url, { ...common, ...action });
  const links = link === null ? {} : { links: [{ href: link, text: 'Open in Fieldwatch' }] };
  const payload = payloadOf(message, summary);
  return jsonRequest(url, { ...common, ...action, client: 'Fieldwatch', payload, ...links });
};

function payloadOf({ data, context }: EventMessage, { title, severity }: Summary): object {
  const { locationPath = [], unit = null } = context ?? {};
  return {
    summary: cut(title, MAX_SUMMARY),
    source: data.deviceName,
    severity: SEVERITY[severity],
    timestamp: data.raisedDateTime,
    component: data.deviceVariableName,
    ...(locationPath.length === 0 ? {} : { group: locationPath.join(' / ') }),
    class: data.alarmName,
    custom_details: {
      value: data.raisedValue,
      unit,
      operator: data.operator,
      threshold: data.thresholdValue,
      alarmId: data.alarmId,
      deviceId: data.deviceId,
    },
  };
}
