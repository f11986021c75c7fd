import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an acknowledge link stands for: one person may acknowledge one page, for a day. */
export interface LinkGrant {
  readonly organizationId: string;
  readonly pageId: string;
  readonly userId: string;
  /** The contact method by which it was sent; null for the email of the account. */
  readonly methodId: string | null;
  readonly expiresAt: number;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;
const NO_METHOD = '00000000-0000-0000-0000-000000000000';
const CONTENT_BYTES = 4 * ID_BYTES + 8;

export function tokenOf(key: Buffer, grant: LinkGrant): string {
  const { organizationId, pageId, userId, methodId, expiresAt } = grant;
  const expiry = Buffer.alloc(8);
  expiry.writeBigUInt64BE(BigInt(expiresAt));
  const ids = [organizationId, pageId, userId, methodId ?? NO_METHOD].map(bytesOf);
  const content = Buffer.concat([...ids, expiry]);
  return Buffer.concat([signatureOf(key, content), content]).toString('base64url');
}

/** Null for anything that was not made with the same key, and once it has expired. */
export function grantOf(key: Buffer, token: string, now: number): LinkGrant | null {
  const bytes = Buffer.from(token, 'base64url');
  const length = SIGNATURE_BYTES + CONTENT_BYTES;
  if (bytes.toString('base64url') !== token || bytes.length !== length) return null;
  const content = bytes.subarray(SIGNATURE_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(key, content))) return null;
  const idAt = (index: number) => idOf(content.subarray(index * ID_BYTES, (index + 1) * ID_BYTES));
  const methodId = idAt(3);
  const expiresAt = Number(content.readBigUInt64BE(4 * ID_BYTES));
  if (expiresAt <= now) return null;
  return {
    organizationId: idAt(0),
    pageId: idAt(1),
    userId: idAt(2),
    methodId: methodId === NO_METHOD ? null : methodId,
    expiresAt,
  };
}

function signatureOf(key: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', key).update('page ').update(content).digest();
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
