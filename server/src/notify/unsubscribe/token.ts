import { createHmac, timingSafeEqual } from 'node:crypto';
import { fold } from '../../runtime/index.ts';

/** What an unsubscribe link stands for. The address itself is not in it: links end up in logs. */
export interface UnsubscribeGrant {
  readonly organizationId: string;
  /** See `addressTag`. */
  readonly addressTag: string;
  readonly alarmGroupIds: readonly string[];
}

const ID_BYTES = 16;
const TAG_BYTES = 16;
const SIGNATURE_BYTES = 32;
/** A digest names at most twenty events. */
const MAX_GROUPS = 20;

/** Distinguishes addresses of an organization without revealing them. */
export function addressTag(key: Buffer, organizationId: string, email: string): string {
  const tag = createHmac('sha256', key).update(`address ${organizationId} ${fold(email)}`);
  return tag.digest().subarray(0, TAG_BYTES).toString('hex');
}

export function tokenOf(key: Buffer, grant: UnsubscribeGrant): string {
  const { organizationId, addressTag: tag, alarmGroupIds } = grant;
  const content = Buffer.concat([
    bytesOf(organizationId),
    Buffer.from(tag, 'hex'),
    ...alarmGroupIds.slice(0, MAX_GROUPS).map(bytesOf),
  ]);
  return Buffer.concat([signatureOf(key, content), content]).toString('base64url');
}

/** Null for anything that was not made with the same key. */
export function grantOf(key: Buffer, token: string): UnsubscribeGrant | null {
  const bytes = Buffer.from(token, 'base64url');
  const least = SIGNATURE_BYTES + ID_BYTES + TAG_BYTES + ID_BYTES;
  if (bytes.toString('base64url') !== token || bytes.length < least) return null;
  const content = bytes.subarray(SIGNATURE_BYTES);
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  if (!timingSafeEqual(signature, signatureOf(key, content))) return null;
  const alarmGroupIds: string[] = [];
  for (let at = ID_BYTES + TAG_BYTES; at < content.length; at += ID_BYTES) {
    alarmGroupIds.push(idOf(content.subarray(at, at + ID_BYTES)));
  }
  return {
    organizationId: idOf(content.subarray(0, ID_BYTES)),
    addressTag: content.subarray(ID_BYTES, ID_BYTES + TAG_BYTES).toString('hex'),
    alarmGroupIds,
  };
}

function signatureOf(key: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', key).update('link ').update(content).digest();
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
