import { type Outbound, OutboundError } from '../../runtime/index.ts';
import type { Message, TextMessage } from '../fan-out/index.ts';
import { encryptPush, type PushDoor, type PushKeys, vapidAuthorization } from '../push/index.ts';
import { pushTextOf } from './push-text.ts';
import { requestedPauseMs } from './retry.ts';
import type { Attempted } from './webhook-channel.ts';

export interface PushChannel {
  readonly outbound: Outbound;
  readonly keys: PushKeys;
  /** Whom a push service can ask about messages: a URL, or null. */
  readonly contact: string | null;
}

interface Sending {
  readonly message: Message | TextMessage;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** How long a push service keeps a message for a browser that is not connected. */
const KEEP_SECONDS = 24 * 3_600;
/** Not Found, and Gone: the browser has ended the subscription. */
const GONE: readonly number[] = [404, 410];
/** Bad Request, and Content Too Large: the same message would be refused again. */
const REFUSED: readonly number[] = [400, 413];
const ASKS_FOR_A_PAUSE: readonly number[] = [429, 503];
const URGENT: readonly string[] = ['HIGH', 'CRITICAL'];

/** Whether the browser has ended its subscription. */
export function isGone(status: number | null): boolean {
  return status !== null && GONE.includes(status);
}

/** Sends one message to a browser by way of its push service (RFC 8030). */
export async function sendPush(
  { outbound, keys, contact }: PushChannel,
  door: PushDoor,
  { message, now, signal }: Sending,
): Promise<Attempted> {
  const { endpoint } = door;
  const text = pushTextOf(message);
  const isUrgent =
    message.type === 'alarm.digest' ||
    (message.type === 'alarm.raised' && URGENT.includes(message.data.severity));
  const headers = {
    ttl: String(KEEP_SECONDS),
    urgency: isUrgent ? 'high' : 'normal',
    // Of several messages about an event, a browser that was not connected gets the last.
    topic: text.tag.replaceAll('-', ''),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    'user-agent': 'Fieldwatch',
    authorization: vapidAuthorization(await keys(), { endpoint, contact, now }),
  };
  const body = encryptPush(Buffer.from(JSON.stringify(text)), door);
  try {
    const { status, retryAfter } = await outbound.post(endpoint, { headers, body, signal });
    if (status >= 200 && status < 300) return { status, error: null, isFinal: true, isOurs: false };
    const isFinal = isGone(status) || REFUSED.includes(status);
    const failed = { status, error: `the answer was ${status}`, isFinal, isOurs: false };
    if (!ASKS_FOR_A_PAUSE.includes(status)) return failed;
    return { ...failed, requestedPauseMs: requestedPauseMs(retryAfter, now) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, error: error.message, isFinal: false, isOurs: false };
  }
}
