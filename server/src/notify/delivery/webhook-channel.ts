import type { WebhookFormat, WebhookTemplate } from '@fieldwatch/contract';
import type { Keyring, Outbound } from '../../runtime/index.ts';
import { OutboundError, traceHeaders } from '../../runtime/index.ts';
import type { Message, TextMessage } from '../fan-out/index.ts';
import { decryptCredential, openSecret } from '../webhooks/index.ts';
import { FORMATS, type FormattedRequest, isSigned } from './formats/index.ts';
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
  readonly format: WebhookFormat;
  readonly destination: string | null;
  readonly encryptedCredential: Buffer | null;
  readonly template: WebhookTemplate | null;
}

export interface WebhookChannel {
  readonly outbound: Outbound;
  readonly keyring: Keyring;
  /** Where the console is. */
  readonly publicUrl: string | null;
}

interface Sending {
  readonly deliveryId: string;
  readonly message: Message | TextMessage;
  readonly now: number;
  readonly signal: AbortSignal;
}

export type Attempted = Omit<Outcome, 'durationMs'>;

/** A service refuses the same message again; the receiver of a user may be mended meanwhile. */
const BAD_REQUEST = 400;
const GONE = 410;
/** Too Many Requests, and Service Unavailable. */
const ASKS_FOR_A_PAUSE: readonly number[] = [429, 503];

/** Sends one message in the format of the webhook. */
export async function postToWebhook(
  channel: WebhookChannel,
  webhook: WebhookDoor,
  { deliveryId, message, now, signal }: Sending,
): Promise<Attempted> {
  if (!webhook.isActive) {
    return { status: null, error: 'the webhook is switched off', isFinal: true, isOurs: true };
  }
  const { keyring, publicUrl } = channel;
  const credential = credentialOf(keyring, webhook);
  const given = { ...webhook, deliveryId, message, publicUrl, credential };
  const request = FORMATS[webhook.format](given);
  const id = deliveryId;
  const signatures = isSigned(webhook.format)
    ? signatureHeaders(keyring, webhook, { id, body: request.body, now })
    : {};
  const headers = { ...request.headers, ...signatures };
  return await postRequest(
    channel,
    { ...request, headers },
    { format: webhook.format, now, signal },
  );
}

export function credentialOf(
  keyring: Keyring,
  webhook: Pick<WebhookDoor, 'organizationId' | 'webhookId' | 'encryptedCredential'>,
): string | null {
  const { organizationId, webhookId: id, encryptedCredential } = webhook;
  return (
    encryptedCredential && decryptCredential(keyring, { organizationId, id }, encryptedCredential)
  );
}

function signatureHeaders(
  keyring: Keyring,
  webhook: WebhookDoor,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Record<string, string> {
  const { organizationId, webhookId } = webhook;
  const sealed = [webhook.encryptedSecret];
  if (webhook.previousSealedSecret && now < (webhook.previousSecretUntil ?? 0)) {
    sealed.push(webhook.previousSealedSecret);
  }
  const secrets = sealed.map((each) =>
    openSecret(keyring, { organizationId, id: webhookId }, each),
  );
  return signedHeaders({ id, timestamp: Math.floor(now / 1000), body }, secrets);
}

export async function postRequest(
  { outbound }: Pick<WebhookChannel, 'outbound'>,
  { url, headers, body }: FormattedRequest,
  { format, now, signal }: Omit<Sending, 'deliveryId' | 'message'> & { format: WebhookFormat },
): Promise<Attempted> {
  const all = { 'user-agent': 'Fieldwatch', ...headers, ...traceHeaders() };
  try {
    const { status, retryAfter } = await outbound.post(url, { headers: all, body, signal });
    if (status >= 200 && status < 300) {
      return { status, error: null, isFinal: true, isOurs: false };
    }
    const isFinal = status === GONE || (status === BAD_REQUEST && !isSigned(format));
    const failed = { status, error: `the answer was ${status}`, isFinal, isOurs: false };
    if (!ASKS_FOR_A_PAUSE.includes(status)) return failed;
    return { ...failed, requestedPauseMs: requestedPauseMs(retryAfter, now) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, error: error.message, isFinal: false, isOurs: false };
  }
}
