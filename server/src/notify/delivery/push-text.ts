import { escapeControls } from '../../runtime/index.ts';
import type { EventMessage, Message, TextMessage } from '../fan-out/index.ts';
import { mailOf } from './mail.ts';

/** What the service worker of the console shows, and the page that a click opens. */
export interface PushText {
  readonly type: (Message | TextMessage)['type'];
  readonly title: string;
  readonly body: string;
  readonly path: string;
  /** A later message with the same tag replaces this one on the screen. */
  readonly tag: string;
}

/** Of a longer text a lock screen shows no more; four bytes each fit into a message. */
const MAX_CHARACTERS = 200;

const cut = (text: string) => {
  const characters = [...text];
  return characters.length > MAX_CHARACTERS
    ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
    : text;
};

export function pushTextOf(message: Message | TextMessage): PushText {
  const { subject } = mailOf(message, null);
  if (message.type === 'text') {
    const { lines, path } = message.data;
    const body = cut(escapeControls(lines.join(' ')));
    return { type: 'text', title: cut(subject), body, path: path ?? '/', tag: 'text' };
  }
  const { page } = message;
  if (page) {
    const { type } = message;
    const title = cut(`${page.title}: ${subject}`);
    return { type, title, body: '', path: `/alarms/pages/${page.id}`, tag: page.id };
  }
  const title = cut(subject);
  if (message.type === 'alarm.digest') {
    return { type: message.type, title, body: '', path: '/alarms', tag: 'digest' };
  }
  const { type, data } = message;
  const path = `/alarms/events/${data.id}`;
  return { type, title, body: cut(escapeControls(valuesOf(message))), path, tag: data.id };
}

/** The value and the place: "Oil pressure 1.5 bar, North plant". */
function valuesOf({ type, data, context }: EventMessage): string {
  const value = type === 'alarm.cleared' ? data.clearedValue : data.raisedValue;
  const unit = typeof value === 'number' && context?.unit ? ` ${context.unit}` : '';
  const reading = value === null ? '' : ` ${String(value)}${unit}`;
  return [`${data.deviceVariableName}${reading}`, ...(context?.locationPath ?? []).slice(-1)].join(
    ', ',
  );
}
