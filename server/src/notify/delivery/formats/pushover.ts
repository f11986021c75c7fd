import { cut, type Format, summaryOf } from './format.ts';

const MAX_TITLE = 250;
const MAX_MESSAGE = 1_024;
const URGENT: readonly string[] = ['CRITICAL', 'HIGH'];

/** A user or a group of Pushover. */
export const pushover: Format = ({ url, message, publicUrl, destination, credential }) => {
  const { title, lines, severity, link } = summaryOf(message, publicUrl);
  const isUrgent = message.type === 'alarm.raised' || message.type === 'alarm.digest';
  const priority = isUrgent && URGENT.includes(severity) ? 1 : 0;
  const body = new URLSearchParams({
    token: credential ?? '',
    user: destination ?? '',
    title: cut(title, MAX_TITLE),
    message: cut(lines.join('\n'), MAX_MESSAGE),
    priority: String(message.type === 'alarm.cleared' ? -1 : priority),
    timestamp: String(Math.floor(Date.parse(message.timestamp) / 1000)),
    ...(link === null ? {} : { url: link, url_title: 'Open in Fieldwatch' }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { url, headers, body: body.toString() };
};
