import type { Message, TextMessage } from '../../fan-out/index.ts';
import { bearer, cut, type Format, jsonRequest, type Summary, summaryOf } from './format.ts';

const MAX_TITLE = 250;
/** 4096 bytes, of which a character has at most four. */
const MAX_MESSAGE = 1_000;

/** A topic of ntfy, by JSON to the root of the server. */
export const ntfy: Format = ({ url, message, publicUrl, destination, credential }) => {
  const summary = summaryOf(message, publicUrl);
  const { title, lines, link } = summary;
  // The button opens a page: a request that acknowledges by itself could be sent by accident.
  const label =
    message.type === 'alarm.raised' && message.data.isAcknowledgeable ? 'Acknowledge' : 'Open';
  const linked =
    link === null ? {} : { click: link, actions: [{ action: 'view', label, url: link }] };
  const body = {
    topic: destination,
    title: cut(title, MAX_TITLE),
    message: cut(lines.join('\n'), MAX_MESSAGE),
    priority: priorityOf(message, summary),
    tags: [tagOf(message, summary)],
    ...linked,
  };
  return jsonRequest(url, body, bearer(credential));
};

function priorityOf({ type }: Message | TextMessage, { severity }: Summary): number {
  if (type === 'alarm.cleared') return 2;
  if (type === 'alarm.acknowledged') return 3;
  return severity === 'CRITICAL' ? 5 : severity === 'HIGH' ? 4 : 3;
}

/** The name of the symbol that is shown before the title. */
function tagOf({ type }: Message | TextMessage, { severity }: Summary): string {
  if (type === 'alarm.cleared') return 'white_check_mark';
  if (type === 'alarm.acknowledged') return 'eyes';
  if (type === 'text') return 'information_source';
  return severity === 'CRITICAL' || severity === 'HIGH' ? 'rotating_light' : 'warning';
}
