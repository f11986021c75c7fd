import type { Message, TextMessage } from '../fan-out/index.ts';
import { pushTextOf } from './push-text.ts';

/** What happened, in one line. */
export function phoneTextOf(message: Message | TextMessage): string {
  const { title, body } = pushTextOf(message);
  return body === '' ? title : `${title}, ${body}`;
}

/** The same for a channel that receives replies: how to answer comes last. */
export function textToAnswer(message: Message | TextMessage): string {
  const code = message.page?.replyCode;
  const text = phoneTextOf(message);
  return code === undefined
    ? text
    : `${text}. Reply ${code} to acknowledge, ${code} up to escalate`;
}
