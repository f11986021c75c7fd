import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring.ts';

const ROW = ['devices', 'app_key', 'organization', 'row'];

describe('a keyring', () => {
  const keyring = createKeyring(randomBytes(32));

  it('decrypts what it encrypted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.string()), (bytes, binding) => {
        const plain = Buffer.from(bytes);
        const encrypted = keyring.encrypt('test', binding, plain);
        expect(keyring.decrypt('test', binding, encrypted).equals(plain)).toBe(true);
      }),
    );
  });

  it('never encrypts alike twice', () => {
    const plain = Buffer.from('same');
    expect(keyring.encrypt('test', ROW, plain).equals(keyring.encrypt('test', ROW, plain))).toBe(
      false,
    );
  });

  it('refuses another purpose, another installation, and any changed bit', () => {
    const encrypted = keyring.encrypt('test', ROW, Buffer.from('secret'));
    expect(() => keyring.decrypt('other', ROW, encrypted)).toThrow();
    expect(() => createKeyring(randomBytes(32)).decrypt('test', ROW, encrypted)).toThrow(
      'encrypted with another key',
    );
    for (let index = 0; index < encrypted.length; index += 1) {
      const changed = Buffer.from(encrypted);
      changed[index] = (changed[index] as number) ^ 1;
      expect(() => keyring.decrypt('test', ROW, changed)).toThrow();
    }
    expect(() => keyring.decrypt('test', ROW, Buffer.alloc(0))).toThrow();
  });

  it('refuses a value that was moved to another table, column, organization or row', () => {
    const encrypted = keyring.encrypt('test', ROW, Buffer.from('secret'));
    for (let part = 0; part < ROW.length; part += 1) {
      const moved = ROW.map((each, index) => (index === part ? 'another' : each));
      expect(() => keyring.decrypt('test', moved, encrypted), moved.join()).toThrow();
    }
    // The same text cut elsewhere is another place.
    expect(() => keyring.decrypt('test', [ROW.join()], encrypted)).toThrow();
  });

  it('decrypts values of the first version, which were bound to no row', () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyring.derive('test'), nonce);
    const body = Buffer.concat([cipher.update('secret'), cipher.final()]);
    const first = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
    expect(keyring.decrypt('test', ROW, first).toString()).toBe('secret');
  });

  it('derives a key of its own for each purpose, the same each time', () => {
    expect(keyring.derive('a').equals(keyring.derive('b'))).toBe(false);
    expect(keyring.derive('a').equals(keyring.derive('a'))).toBe(true);
  });
});
