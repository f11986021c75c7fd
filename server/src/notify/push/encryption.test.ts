import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptPush } from '../../../test/support/push-service.ts';
import { encryptPush, isPublicKey, MAX_PUSH_BYTES } from './encryption.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** The example of RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  plain: 'When I grow up, I want to be a watermelon',
  serverPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  browserPublic:
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  browserPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

function newBrowser() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { pair, keys: { publicKey: pair.getPublicKey(), authSecret: Buffer.alloc(16, 7) } };
}

describe('the encryption of push messages', () => {
  it('makes the message of the example in RFC 8291', () => {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(bytes(EXAMPLE.serverPrivate));
    const keys = { publicKey: bytes(EXAMPLE.browserPublic), authSecret: bytes(EXAMPLE.auth) };
    const message = encryptPush(Buffer.from(EXAMPLE.plain), keys, pair, bytes(EXAMPLE.salt));
    expect(message.toString('base64url')).toBe(EXAMPLE.message);
    const browser = createECDH('prime256v1');
    browser.setPrivateKey(bytes(EXAMPLE.browserPrivate));
    expect(decryptPush(message, browser, bytes(EXAMPLE.auth))).toBe(EXAMPLE.plain);
  });

  it('differs for the same text, and only the browser reads it', () => {
    const { pair, keys } = newBrowser();
    const [one, other] = [1, 2].map(() => encryptPush(Buffer.from('same'), keys));
    expect(one?.equals(other ?? Buffer.of())).toBe(false);
    expect(decryptPush(one ?? Buffer.of(), pair, keys.authSecret)).toBe('same');
    const stranger = newBrowser().pair;
    expect(() => decryptPush(one ?? Buffer.of(), stranger, keys.authSecret)).toThrow();
  });

  it('takes what fits into 4,096 bytes, and no byte more', () => {
    const { pair, keys } = newBrowser();
    const longest = encryptPush(Buffer.alloc(MAX_PUSH_BYTES, 'a'), keys);
    expect(longest).toHaveLength(4_096);
    expect(decryptPush(longest, pair, keys.authSecret)).toHaveLength(MAX_PUSH_BYTES);
    expect(() => encryptPush(Buffer.alloc(MAX_PUSH_BYTES + 1), keys)).toThrow('too long');
  });

  it('knows a key that is no point of the curve', () => {
    expect(isPublicKey(newBrowser().keys.publicKey)).toBe(true);
    expect(isPublicKey(Buffer.alloc(65, 4))).toBe(false);
    expect(isPublicKey(newBrowser().pair.getPublicKey(null, 'compressed'))).toBe(false);
  });
});
