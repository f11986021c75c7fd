import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

// Message encryption for web push: RFC 8291, with the content coding aes128gcm of RFC 8188. The
// push service in between cannot read messages: only the browser has the private key.

/** The keys of a browser. */
export interface BrowserKeys {
  /** A point of P-256, uncompressed. */
  readonly publicKey: Buffer;
  readonly authSecret: Buffer;
}

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** A message is one record; push services accept at most 4096 bytes with header and tag. */
const RECORD_BYTES = 4_096;
const POINT_BYTES = 65;
/** Salt, size of records, length of the key and the key itself; also the end of the content. */
const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES;
/** Ends the last record. */
const LAST_RECORD = Buffer.of(2);
export const MAX_PUSH_BYTES = RECORD_BYTES - HEADER_BYTES - LAST_RECORD.length - TAG_BYTES;

/** Whether a browser's key is a point of the curve. */
export function isPublicKey(key: Buffer): boolean {
  try {
    newKeyPair().computeSecret(key);
    return key.length === POINT_BYTES;
  } catch {
    return false;
  }
}

function newKeyPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

/** Encrypts for one browser. Each message has its own key pair and salt; tests pass known ones. */
export function encryptPush(
  plain: Buffer,
  { publicKey, authSecret }: BrowserKeys,
  pair: ECDH = newKeyPair(),
  salt: Buffer = randomBytes(SALT_BYTES),
): Buffer {
  if (plain.length > MAX_PUSH_BYTES) throw new Error('a push message is too long');
  const own = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, own]);
  const derive = (input: Buffer, key: Buffer, about: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, key, about, length));
  const input = derive(pair.computeSecret(publicKey), authSecret, info, 32);
  const contentKey = derive(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(input, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  const header = Buffer.concat([salt, size, Buffer.of(own.length), own]);
  const body = Buffer.concat([cipher.update(plain), cipher.update(LAST_RECORD), cipher.final()]);
  return Buffer.concat([header, body, cipher.getAuthTag()]);
}
