import type { Keyring, Outbound } from '../../runtime/index.ts';
import { OutboundError, traceHeaders } from '../../runtime/index.ts';
import { openSecret } from '../webhooks/index.ts';
import type { Outcome } from './outcome.ts';
import { requestedPauseMs } from './retry.ts';
import { signedHeaders } from './signature.ts';

export interface WebhookDoor {
  readonly name: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly organizationId: string;
  readonly webhookId: string;
  readonly encryptedSecret: Buffer;
  /** Signs along until its day has passed. */
  readonly previousSealedSecret: Buffer | null;
  readonly previousSecretUntil: number | null;
}

export interface Sending {
  readonly deliveryId: string;
  readonly body: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

export type Attempted = Omit<Outcome, 'durationMs'>;

const GONE = 410;
/** Too Many Requests, and Service Unavailable. */
const ASKS_FOR_A_PAUSE: readonly number[] = [429, 503];

export async function postToWebhook(
  { outbound, keyring }: { readonly outbound: Outbound; readonly keyring: Keyring },
  webhook: WebhookDoor,
  { deliveryId, body, now, signal }: Sending,
): Promise<Attempted> {
  if (!webhook.isActive) {
    return { status: null, error: 'the webhook is switched off', isFinal: true, isOurs: true };
  }
  const sealed = [webhook.encryptedSecret];
  if (webhook.previousSealedSecret && now < (webhook.previousSecretUntil ?? 0)) {
    sealed.push(webhook.previousSealedSecret);
  }
  const signed = { id: deliveryId, timestamp: Math.floor(now / 1000), body };
  const secrets = sealed.map((each) =>
    openSecret(keyring, { organizationId: webhook.organizationId, id: webhook.webhookId }, each),
  );
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Fieldwatch',
    ...signedHeaders(signed, secrets),
    ...traceHeaders(),
  };
  try {
    const { status, retryAfter } = await outbound.post(webhook.url, { headers, body, signal });
    if (status >= 200 && status < 300) {
      return { status, error: null, isFinal: true, isOurs: false };
    }
    const error = `the answer was ${status}`;
    const failed = { status, error, isFinal: status === GONE, isOurs: false };
    if (!ASKS_FOR_A_PAUSE.includes(status)) return failed;
    return { ...failed, requestedPauseMs: requestedPauseMs(retryAfter, now) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, error: error.message, isFinal: false, isOurs: false };
  }
}
