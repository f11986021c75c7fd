import type { PhoneKind } from '@fieldwatch/contract';
import type { Keyring, Outbound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Message, TextMessage } from '../fan-out/index.ts';
import { attemptUrls, callService, listActiveChannels, receiptIdOf } from '../phone/index.ts';
import { phoneTextOf, textToAnswer } from './phone-text.ts';
import { pushTextOf } from './push-text.ts';
import { requestedPauseMs } from './retry.ts';
import type { Attempted } from './webhook-channel.ts';

/** A telephone, and whether it gets texts or calls. */
export interface PhoneDoor {
  readonly number: string;
  readonly kind: PhoneKind;
}

interface PhoneDeps {
  readonly storage: Storage;
  readonly outbound: Outbound;
  readonly keyring: Keyring;
  readonly publicUrl: string | null;
}

interface Sending {
  readonly organizationId: string;
  readonly deliveryId: string;
  /** Before this one. */
  readonly attempts: number;
  readonly message: Message | TextMessage;
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Sends one message to a telephone by a channel of the organization. Each attempt takes the next
 * channel: where the line to one service is down, another may still be reached.
 */
export async function sendToPhone(
  deps: PhoneDeps,
  { number, kind }: PhoneDoor,
  { organizationId, deliveryId, attempts, message, now, signal }: Sending,
): Promise<Attempted> {
  const channels = await listActiveChannels(deps.storage, organizationId, kind);
  const channel = channels[attempts % channels.length];
  if (!channel) {
    const error = `undeliverable: the organization has no active channel for ${kind}`;
    return { status: null, error, isFinal: true, isOurs: true };
  }
  const { path } = pushTextOf(message);
  const acknowledgeUrl = message.page?.acknowledgeUrl ?? null;
  const attempt = { organizationId, channelId: channel.id, deliveryId, attempt: attempts + 1 };
  const urls = attemptUrls(deps, attempt);
  const called = await callService(
    deps,
    channel,
    {
      id: deliveryId,
      to: number,
      text: channel.replies === null ? phoneTextOf(message) : textToAnswer(message),
      link: acknowledgeUrl ?? (deps.publicUrl === null ? '' : deps.publicUrl + path),
      receiptUrl: channel.receipts === null ? '' : (urls?.receiptUrl ?? ''),
      receiptId: receiptIdOf(attempt),
      // Only what asks for an acknowledgement waits for a key.
      keysUrl: acknowledgeUrl === null ? null : (urls?.keysUrl ?? null),
    },
    signal,
  );
  const { status, error, retryAfter } = called;
  if (error === null) return { status, error, isFinal: true, isOurs: false };
  const pauseMs = channels.length > 1 ? 0 : requestedPauseMs(retryAfter, now);
  return { status, error, isFinal: false, isOurs: false, requestedPauseMs: pauseMs };
}
