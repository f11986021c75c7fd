import type { WebhookPlaceholder } from '@fieldwatch/contract';
import { renderTemplate } from '../../template/index.ts';
import { valueText } from '../mail.ts';
import { type Format, type FormatInput, summaryOf } from './format.ts';

/** The body that the user of the webhook wrote, with the values of the message in it. */
export const template: Format = (input) => {
  const { contentType, body } = input.template ?? { contentType: 'text/plain', body: '' };
  const values = valuesOf(input);
  return {
    url: input.url,
    headers: { 'content-type': contentType },
    body: renderTemplate(body, contentType, values),
  };
};

function valuesOf(input: FormatInput): Readonly<Record<WebhookPlaceholder, string>> {
  const { deliveryId: id, message, publicUrl, destination, credential } = input;
  const { title, lines, severity, link } = summaryOf(message, publicUrl);
  const common = {
    ...{ id, type: message.type, title, text: lines.join('\n'), severity },
    ...{ time: message.timestamp, link: link ?? '' },
    ...{ destination: destination ?? '', credential: credential ?? '' },
  };
  if (message.type === 'alarm.digest' || message.type === 'text') {
    const none = { alarm: '', device: '', variable: '', value: '', unit: '' };
    return { ...common, ...none, location: '', eventId: '' };
  }
  const { data, context } = message;
  const value = message.type === 'alarm.cleared' ? data.clearedValue : data.raisedValue;
  const plain = { unit: null, locationPath: [], timeZone: null };
  return {
    ...common,
    alarm: data.alarmName,
    device: data.deviceName,
    variable: data.deviceVariableName,
    value: value === null ? '' : valueText(value, plain),
    unit: context?.unit ?? '',
    location: (context?.locationPath ?? []).join(' / '),
    eventId: data.id,
  };
}
