import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Failure } from '../../runtime/index.ts';

/** What one argon2id hash costs: KiB of memory, passes over it, threads. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** As OWASP recommends it for passwords. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash holds a thread that file and key operations share, so a few must stay free. */
export const HASH_LIMITS = { running: 2, waiting: 64 };

export interface SlowHash {
  /** Checking a secret against it costs what any other check does, and fails. */
  readonly unmatchable: string;
  hash(secret: string): Promise<string>;
  verify(stored: string, presented: string): Promise<boolean>;
}

export function createSlowHash(limits = HASH_LIMITS, cost = PASSWORD_COST): SlowHash {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= limits.running) {
      if (waiting.length >= limits.waiting) {
        throw new Failure('OVERLOADED', 'Too many passwords are being checked at once.', {
          retryAfterSeconds: 1,
        });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    unmatchable: unmatchableHash(cost),
    hash: (secret) => inTurn(() => hash(secret, cost)),
    verify: (stored, presented) => inTurn(() => verify(stored, presented)),
  };
}

/** A hash of nothing. */
function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
