import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Failure } from '../../runtime/index.ts';

/** argon2id as OWASP recommends it for passwords. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash holds a thread that file and key operations share, so a few must stay free. */
const LIMITS = { running: 2, waiting: 64 };

export interface SlowHash {
  hash(secret: string): Promise<string>;
  verify(stored: string, presented: string): Promise<boolean>;
}

export function createSlowHash(limits = LIMITS): SlowHash {
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
    hash: (secret) => inTurn(() => hash(secret, COST)),
    verify: (stored, presented) => inTurn(() => verify(stored, presented)),
  };
}

/** A hash of nothing: checking a password against it costs what any other check does, and fails. */
export function unmatchableHash(): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
