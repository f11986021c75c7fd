import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../runtime/index.ts';
import { isQuickHash, matchesQuickHash } from './secret.ts';
import { createSlowHash, type SlowHash } from './slow-hash.ts';

/** Hashes and verifies secrets. */
export interface Secrets {
  /** For a secret that a person chose. */
  hashChosen(secret: string): Promise<string>;
  /** Costs the same whether there is a stored hash or not; without one it is never right. */
  verifyPassword(stored: string | null, presented: string): Promise<boolean>;
  /** Decides without a slow hash; undefined when that is not possible. */
  checkKeySecretQuickly(stored: string, presented: string): boolean | undefined;
  /** Costs a slow hash only until a chosen secret was first presented rightly. */
  verifyKeySecret(stored: string, presented: string): Promise<boolean>;
}

const MAX_VERIFIED_SECRETS = 1000;

export function createSecrets(slow: SlowHash = createSlowHash()): Secrets {
  const salt = randomBytes(32).toString('base64');
  // The right secret of a stored hash never changes, so once it is known any other one is wrong.
  const rightMarks = new BoundedMap<string, Buffer>(MAX_VERIFIED_SECRETS);

  const markOf = (secret: string) => hash('sha256', salt + secret, 'buffer');

  function checkQuickly(stored: string, presented: string): boolean | undefined {
    if (isQuickHash(stored)) return matchesQuickHash(stored, presented);
    const rightMark = rightMarks.get(stored);
    return rightMark && timingSafeEqual(rightMark, markOf(presented));
  }

  return {
    hashChosen: (secret) => slow.hash(secret),
    async verifyPassword(stored, presented) {
      const right = await slow.verify(stored ?? slow.unmatchable, presented);
      return right && stored !== null;
    },
    checkKeySecretQuickly: checkQuickly,
    async verifyKeySecret(stored, presented) {
      const quickly = checkQuickly(stored, presented);
      if (quickly !== undefined) return quickly;
      const right = await slow.verify(stored, presented);
      if (right) rightMarks.set(stored, markOf(presented));
      return right;
    },
  };
}
