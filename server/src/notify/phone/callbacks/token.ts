import { createHmac, timingSafeEqual } from 'node:crypto';

/** The channel at whose address replies are reported. */
export interface ChannelGrant {
  readonly organizationId: string;
  readonly channelId: string;
}

/** One attempt at a delivery by a channel, whose outcome and keys are reported. */
export interface AttemptGrant extends ChannelGrant {
  readonly deliveryId: string;
  /** Counted from 1. */
  readonly attempt: number;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;
const CHANNEL_BYTES = 2 * ID_BYTES;
const ATTEMPT_BYTES = 3 * ID_BYTES + 4;

export function channelToken(key: Buffer, { organizationId, channelId }: ChannelGrant): string {
  return signed(key, 'channel', Buffer.concat([organizationId, channelId].map(bytesOf)));
}

export function attemptToken(key: Buffer, grant: AttemptGrant): string {
  const { organizationId, channelId, deliveryId, attempt } = grant;
  const number = Buffer.alloc(4);
  number.writeUInt32BE(attempt);
  const ids = [organizationId, channelId, deliveryId].map(bytesOf);
  return signed(key, 'attempt', Buffer.concat([...ids, number]));
}

/** Null for anything that was not made with the same key for a channel. */
export function channelOf(key: Buffer, token: string): ChannelGrant | null {
  const content = contentOf(key, 'channel', token, CHANNEL_BYTES);
  return content && { organizationId: idAt(content, 0), channelId: idAt(content, 1) };
}

/** Null for anything that was not made with the same key for an attempt. */
export function attemptOf(key: Buffer, token: string): AttemptGrant | null {
  const content = contentOf(key, 'attempt', token, ATTEMPT_BYTES);
  return (
    content && {
      organizationId: idAt(content, 0),
      channelId: idAt(content, 1),
      deliveryId: idAt(content, 2),
      attempt: content.readUInt32BE(3 * ID_BYTES),
    }
  );
}

type Use = 'channel' | 'attempt';

function signed(key: Buffer, use: Use, content: Buffer): string {
  return Buffer.concat([signatureOf(key, use, content), content]).toString('base64url');
}

function contentOf(key: Buffer, use: Use, token: string, length: number): Buffer | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token || bytes.length !== SIGNATURE_BYTES + length) {
    return null;
  }
  const content = bytes.subarray(SIGNATURE_BYTES);
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  return timingSafeEqual(signature, signatureOf(key, use, content)) ? content : null;
}

function signatureOf(key: Buffer, use: Use, content: Buffer): Buffer {
  return createHmac('sha256', key).update(`${use} `).update(content).digest();
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idAt(content: Buffer, index: number): string {
  return content
    .subarray(index * ID_BYTES, (index + 1) * ID_BYTES)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
