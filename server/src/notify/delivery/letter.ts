import type { Message, TextMessage } from '../fan-out/index.ts';
import type { SmtpMessage } from './smtp.ts';

/** One message to one address. */
export interface Letter extends Pick<SmtpMessage, 'claim' | 'signal'> {
  readonly deliveryId: string;
  readonly organizationId: string;
  readonly targetId: string;
  readonly email: string;
  readonly message: Message | TextMessage;
}

/** Where a recipient of these groups' mail unsubscribes; null where people cannot reach it. */
export type UnsubscribeUrl = (letter: {
  readonly organizationId: string;
  readonly email: string;
  readonly alarmGroupIds: readonly string[];
}) => string | null;
