import { type Format, jsonRequest } from './format.ts';

const TYPE = { 'content-type': 'application/cloudevents+json' };

/** CloudEvents 1.0 in the structured mode of HTTP. */
export const cloudEvents: Format = ({ url, organizationId, deliveryId, message }) => {
  const { type, timestamp: time, data } = message;
  const alarms = `/organizations/${organizationId}/alarms`;
  const common = {
    specversion: '1.0',
    id: deliveryId,
    type: `io.fieldwatch.${type}`,
    time,
    datacontenttype: 'application/json',
  };
  if (message.type === 'text') {
    return jsonRequest(url, { ...common, source: `/organizations/${organizationId}`, data }, TYPE);
  }
  const event =
    message.type === 'alarm.digest'
      ? { ...common, source: alarms, data }
      : {
          ...common,
          source: `${alarms}/${message.data.alarmId}`,
          subject: message.data.id,
          data: { ...data, context: message.context },
        };
  return jsonRequest(url, event, TYPE);
};
