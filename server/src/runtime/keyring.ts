import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where an encrypted value is stored: table, column, and what names the row. */
export type Binding = readonly string[];

/** Keys for separate purposes, all derived from the installation's one secret. */
export interface Keyring {
  /** 32 bytes that serve this purpose alone. */
  derive(purpose: string): Buffer;
  /** Encrypts for storage; only `decrypt` with the same purpose and binding reads it. */
  encrypt(purpose: string, binding: Binding, plain: Buffer): Buffer;
  /**
   * Fails when the bytes were changed, or were encrypted for another purpose or row or with
   * another key. A value of the first version of the envelope is bound to its purpose alone.
   */
  decrypt(purpose: string, binding: Binding, encrypted: Buffer): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
/** A version, a nonce, a tag, the body. */
export const UNBOUND_VERSION = 1;
/** A version, the id of the key, a nonce, a tag, the body; authenticated with its binding. */
const VERSION = 2;

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

  const keyId = derive('key-id').subarray(0, KEY_ID_BYTES);
  const authenticated = (binding: Binding) =>
    Buffer.concat([Buffer.of(VERSION), keyId, Buffer.from(JSON.stringify(binding))]);

  function decryptBody(purpose: string, encrypted: Buffer, aad: Buffer | null): Buffer {
    const nonce = encrypted.subarray(0, NONCE_BYTES);
    const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', derive(purpose), nonce, options);
    if (aad) decipher.setAAD(aad);
    decipher.setAuthTag(tag);
    const body = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  }

  return {
    derive,
    encrypt(purpose, binding, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce);
      cipher.setAAD(authenticated(binding));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), keyId, nonce, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, binding, encrypted) {
      if (encrypted[0] === UNBOUND_VERSION)
        return decryptBody(purpose, encrypted.subarray(1), null);
      if (encrypted[0] !== VERSION) throw new Error('encrypted by an unknown version');
      if (!encrypted.subarray(1, 1 + KEY_ID_BYTES).equals(keyId)) {
        throw new Error('encrypted with another key');
      }
      return decryptBody(purpose, encrypted.subarray(1 + KEY_ID_BYTES), authenticated(binding));
    },
  };
}
