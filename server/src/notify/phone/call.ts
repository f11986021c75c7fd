import type { Keyring, Outbound } from '../../runtime/index.ts';
import { OutboundError } from '../../runtime/index.ts';
import { decryptCredential } from './credential.ts';
import { isAccepted, type PhoneMessage, requestOf } from './request.ts';
import type { PhoneChannelRow } from './store.ts';

export interface CallDeps {
  readonly outbound: Outbound;
  readonly keyring: Keyring;
}

/** How the service of a channel answered. */
export interface Called {
  readonly status: number | null;
  /** Null when the message was accepted. */
  readonly error: string | null;
  readonly retryAfter: string | null;
}

/** Has the service of a channel send a message. */
export async function callService(
  { outbound, keyring }: CallDeps,
  channel: PhoneChannelRow,
  message: PhoneMessage,
  signal: AbortSignal,
): Promise<Called> {
  const credential = decryptCredential(keyring, channel, channel.encryptedCredential);
  const { url, method, headers, body } = requestOf(channel, credential, message);
  const all = { 'user-agent': 'Fieldwatch', ...headers };
  try {
    const answer = await outbound.request(url, { method, headers: all, body, signal });
    const { status, retryAfter } = answer;
    if (isAccepted(channel, answer)) return { status, error: null, retryAfter };
    const isRefused = status >= 200 && status < 300;
    const error = isRefused
      ? `the answer of ${channel.name} does not contain its success text`
      : `the answer of ${channel.name} was ${status}`;
    return { status, error, retryAfter };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, error: `${channel.name}: ${error.message}`, retryAfter: null };
  }
}
