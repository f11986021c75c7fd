import { describe, expect, it } from 'vitest';
import { generateSecret, quickHash } from './secret.ts';
import { createSecrets } from './secrets.ts';
import { createSlowHash, type SlowHash } from './slow-hash.ts';

/** The real hash, with its work counted. */
function counted(): SlowHash & { verified: string[] } {
  const slow = createSlowHash();
  const verified: string[] = [];
  return {
    verified,
    unmatchable: slow.unmatchable,
    hash: slow.hash,
    verify(stored, presented) {
      verified.push(stored);
      return slow.verify(stored, presented);
    },
  };
}

describe('a password', () => {
  it('is stored as argon2id with the recommended cost', async () => {
    const stored = await createSecrets().hashChosen('a password');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(stored).not.toContain('a password');
  });

  it('is right or wrong', async () => {
    const secrets = createSecrets();
    const stored = await secrets.hashChosen('a password');
    expect(await secrets.verifyPassword(stored, 'a password')).toBe(true);
    expect(await secrets.verifyPassword(stored, 'A password')).toBe(false);
  });

  it('without a user costs the same hash as with one, and is wrong', async () => {
    const slow = counted();
    const secrets = createSecrets(slow);
    const stored = await secrets.hashChosen('a password');
    await secrets.verifyPassword(stored, 'wrong');
    expect(await secrets.verifyPassword(null, 'wrong')).toBe(false);
    expect(slow.verified).toHaveLength(2);
    const [known, unknown] = slow.verified.map((hash) => hash.split('$').slice(0, 4).join('$'));
    expect(unknown).toBe(known);
    expect(slow.verified[1]?.length).toBe(slow.verified[0]?.length);
  });
});

describe('the secret of a key', () => {
  it('that was generated costs no slow hash', async () => {
    const slow = counted();
    const secrets = createSecrets(slow);
    const secret = generateSecret();
    const stored = quickHash(secret);
    expect(await secrets.verifyKeySecret(stored, secret)).toBe(true);
    expect(await secrets.verifyKeySecret(stored, `${secret}x`)).toBe(false);
    expect(await secrets.verifyKeySecret(stored, '')).toBe(false);
    expect(slow.verified).toEqual([]);
  });

  it('that was generated has 256 bits and is stored only as a hash', () => {
    const secret = generateSecret();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(quickHash(secret)).not.toContain(secret);
  });

  it('that was chosen costs slow hashes until it was right once, and none after', async () => {
    const slow = counted();
    const secrets = createSecrets(slow);
    const stored = await secrets.hashChosen('chosen');
    expect(await secrets.verifyKeySecret(stored, 'wrong')).toBe(false);
    expect(await secrets.verifyKeySecret(stored, 'chosen')).toBe(true);
    expect(slow.verified).toHaveLength(2);
    expect(await secrets.verifyKeySecret(stored, 'chosen')).toBe(true);
    expect(await secrets.verifyKeySecret(stored, 'wrong')).toBe(false);
    expect(slow.verified).toHaveLength(2);
  });

  it('is verified again when the stored hash changes', async () => {
    const secrets = createSecrets();
    const [first, second] = [await secrets.hashChosen('first'), await secrets.hashChosen('second')];
    expect(await secrets.verifyKeySecret(first, 'first')).toBe(true);
    expect(await secrets.verifyKeySecret(second, 'first')).toBe(false);
    expect(await secrets.verifyKeySecret(second, 'second')).toBe(true);
  });
});

describe('the slow hash', () => {
  it('refuses work beyond its limit instead of queueing for ever', async () => {
    const slow = createSlowHash({ running: 1, waiting: 2 });
    const stored = await slow.hash('a password');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => slow.verify(stored, 'wrong')),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array(3).fill('fulfilled'),
      ...Array(2).fill('rejected'),
    ]);
    expect(outcomes[4]).toMatchObject({ reason: { code: 'OVERLOADED' } });
    expect(await slow.verify(stored, 'a password')).toBe(true);
  });
});
