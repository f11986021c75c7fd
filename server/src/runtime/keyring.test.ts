import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring.ts';

describe('a keyring', () => {
  const keyring = createKeyring(randomBytes(32));

  it('opens what it sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const plain = Buffer.from(bytes);
        expect(keyring.open('test', keyring.seal('test', plain)).equals(plain)).toBe(true);
      }),
    );
  });

  it('never seals alike twice', () => {
    const plain = Buffer.from('same');
    expect(keyring.seal('test', plain).equals(keyring.seal('test', plain))).toBe(false);
  });

  it('refuses another purpose, another installation, and any changed bit', () => {
    const sealed = keyring.seal('test', Buffer.from('secret'));
    expect(() => keyring.open('other', sealed)).toThrow();
    expect(() => createKeyring(randomBytes(32)).open('test', sealed)).toThrow();
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      expect(() => keyring.open('test', changed)).toThrow();
    }
    expect(() => keyring.open('test', Buffer.alloc(0))).toThrow();
  });

  it('derives a key of its own for each purpose, the same each time', () => {
    expect(keyring.derive('a').equals(keyring.derive('b'))).toBe(false);
    expect(keyring.derive('a').equals(keyring.derive('a'))).toBe(true);
  });
});
