import type { Callback } from '../../../http/index.ts';
import { Failure, type Keyring, notFound } from '../../../runtime/index.ts';
import type { Queries } from '../../../storage/index.ts';
import { decryptCredential } from '../credential.ts';
import { passwordOf } from '../request.ts';
import { findChannel, type PhoneChannelRow } from '../store.ts';
import { isSignedByTwilio } from './signature.ts';
import {
  type AttemptGrant,
  attemptOf,
  attemptToken,
  type ChannelGrant,
  channelOf,
  channelToken,
} from './token.ts';

export interface CallbackDeps {
  readonly keyring: Keyring;
  /** Where services reach the server; null where they cannot. */
  readonly publicUrl: string | null;
}

const keyOf = ({ keyring }: CallbackDeps) => keyring.derive('phone callback');

/** Where the service of a channel reports replies; null where it cannot reach the server. */
export function replyUrl(deps: CallbackDeps, channel: ChannelGrant): string | null {
  if (deps.publicUrl === null) return null;
  return `${deps.publicUrl}/p/${channelToken(keyOf(deps), channel)}/replies`;
}

/** Where the service of a channel reports what became of all messages; null as above. */
export function receiptUrl(deps: CallbackDeps, channel: ChannelGrant): string | null {
  if (deps.publicUrl === null) return null;
  return `${deps.publicUrl}/p/${channelToken(keyOf(deps), channel)}/receipts`;
}

export interface AttemptUrls {
  /** Where the outcome of the attempt is reported. */
  readonly receiptUrl: string;
  /** Where the keys that are pressed during a call are reported. */
  readonly keysUrl: string;
}

/** The addresses of one attempt; null where its service cannot reach the server. */
export function attemptUrls(deps: CallbackDeps, attempt: AttemptGrant): AttemptUrls | null {
  if (deps.publicUrl === null) return null;
  const path = `${deps.publicUrl}/p/${attemptToken(keyOf(deps), attempt)}`;
  return { receiptUrl: `${path}/receipts`, keysUrl: `${path}/keys` };
}

/** Why a report is not taken: no such address, or not from the service of the channel. */
export type Refused = 'UNKNOWN' | 'UNSIGNED';

export function refusal(refused: Refused): Failure {
  if (refused === 'UNKNOWN') return notFound('callback address');
  const detail =
    'The signature of the request is wrong. FIELDWATCH_PUBLIC_URL must be the address that the service calls, and the credential of the channel the one that it signs with.';
  return new Failure('UNAUTHENTICATED', detail);
}

export interface Reported<Grant> {
  readonly grant: Grant;
  readonly channel: PhoneChannelRow;
}

/** The channel whose service reports, once it is known to be the one. */
export function reportedToChannel(
  deps: CallbackDeps,
  db: Queries,
  callback: Callback,
): Promise<Reported<ChannelGrant> | Refused> {
  return verified(deps, db, callback, channelOf(keyOf(deps), callback.token));
}

/** The attempt of which the service of its channel reports. */
export function reportedOfAttempt(
  deps: CallbackDeps,
  db: Queries,
  callback: Callback,
): Promise<Reported<AttemptGrant> | Refused> {
  return verified(deps, db, callback, attemptOf(keyOf(deps), callback.token));
}

async function verified<Grant extends ChannelGrant>(
  { keyring, publicUrl }: CallbackDeps,
  db: Queries,
  { url, form, twilioSignature }: Callback,
  grant: Grant | null,
): Promise<Reported<Grant> | Refused> {
  const channel = grant && (await findChannel(db, grant.organizationId, grant.channelId));
  if (!grant || !channel) return 'UNKNOWN';
  if (channel.signature === 'NONE') return { grant, channel };
  const credential = decryptCredential(keyring, channel, channel.encryptedCredential);
  const signed = { url: `${publicUrl ?? ''}${url}`, form };
  const isSigned = isSignedByTwilio(passwordOf(credential), signed, twilioSignature);
  return isSigned ? { grant, channel } : 'UNSIGNED';
}
