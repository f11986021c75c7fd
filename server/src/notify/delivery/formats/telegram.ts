import { escaped } from '../mail.ts';
import { cut, type Format, jsonRequest, summaryOf } from './format.ts';

/** A message has 4096 characters, markup not counted. */
const MAX_TITLE = 500;
const MAX_TEXT = 3_500;

/** The bot of a Telegram chat. The URL is that of the service, and the token a part of the path. */
export const telegram: Format = ({ url, message, publicUrl, destination, credential }) => {
  const { title, lines, link } = summaryOf(message, publicUrl);
  const text = [
    `<b>${escaped(cut(title, MAX_TITLE))}</b>`,
    escaped(cut(lines.join('\n'), MAX_TEXT)),
    ...(link === null ? [] : [`<a href="${escaped(link)}">Open in Fieldwatch</a>`]),
  ].join('\n');
  return jsonRequest(`${url.replace(/\/+$/, '')}/bot${credential ?? ''}/sendMessage`, {
    chat_id: destination,
    text,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  });
};
