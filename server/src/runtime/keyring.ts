import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keys for separate purposes, all derived from the installation's one secret. */
export interface Keyring {
  /** 32 bytes that serve this purpose alone. */
  derive(purpose: string): Buffer;
  /** Encrypts for storage; only `open` with the same purpose reads it. */
  seal(purpose: string, plain: Buffer): Buffer;
  /** Fails when the sealed bytes were changed or belong to another purpose or installation. */
  open(purpose: string, sealed: Buffer): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

export function createKeyring(secret: Buffer): Keyring {
  const keys = new Map<string, Buffer>();

  function derive(purpose: string): Buffer {
    let key = keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, 'fieldwatch', purpose, 32));
      keys.set(purpose, key);
    }
    return key;
  }

  return {
    derive,
    seal(purpose, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, sealed) {
      if (sealed[0] !== VERSION) throw new Error('sealed by an unknown version');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose), nonce);
      decipher.setAuthTag(tag);
      const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]);
    },
  };
}
