import { isUtf8 } from 'node:buffer';
import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../../http/index.ts';
import { type Clock, isoDateTime, notFound } from '../../../runtime/index.ts';
import type { Storage } from '../../../storage/index.ts';
import { hasDevice } from '../store.ts';
import type { DeadLetter } from './letter.ts';
import { deleteExpiredLetters, dropOldestLetters, insertLetters, listLetters } from './store.ts';

export interface DeadLettersDeps {
  readonly storage: Storage;
  readonly clock: Clock;
}

/** Messages that can never be stored, bounded in number and age. */
export interface DeadLetters {
  /** Resolves when the letter is durable. Letters that arrive during a write are written together. */
  add(letter: Omit<DeadLetter, 'failedAt'>): Promise<void>;
  readonly list: Handler<Operations['listDeadLetters']>;
}

const LETTERS_PER_WRITE = 100;

export function createDeadLetters({ storage, clock }: DeadLettersDeps): DeadLetters {
  let queued: QueuedLetter[] = [];
  let isWriting = false;

  async function write(batch: readonly QueuedLetter[]): Promise<void> {
    const letters = batch.map(({ letter }) => letter);
    await storage.background.transaction(async (tx) => {
      await deleteExpiredLetters(tx, clock.now());
      await insertLetters(tx, letters);
      await dropOldestLetters(tx, [...new Set(letters.map(({ deviceId }) => deviceId))]);
    });
  }

  async function writeQueued(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (queued.length > 0) {
      const batch = queued.slice(0, LETTERS_PER_WRITE);
      queued = queued.slice(LETTERS_PER_WRITE);
      const outcome = await write(batch).then(
        () => ({ isStored: true }) as const,
        (error: unknown) => ({ isStored: false, error }) as const,
      );
      for (const { resolve, reject } of batch) {
        if (outcome.isStored) resolve();
        else reject(outcome.error);
      }
    }
    isWriting = false;
  }

  return {
    add: (letter) =>
      new Promise((resolve, reject) => {
        queued.push({ letter: { ...letter, failedAt: clock.now() }, resolve, reject });
        void writeQueued();
      }),
    async list({ params: { organizationId, deviceId }, query }) {
      if (!(await hasDevice(storage, organizationId, deviceId))) throw notFound('Device');
      await deleteExpiredLetters(storage.background, clock.now());
      const { count, rows } = await listLetters(storage, organizationId, deviceId, query);
      const items = rows.map(({ topic, payload, reason, failedAt }) => ({
        topic,
        ...shown(payload),
        reason,
        dateTime: isoDateTime(failedAt),
      }));
      return { body: { count, items } };
    },
  };
}

interface QueuedLetter {
  readonly letter: DeadLetter;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function shown(payload: Buffer) {
  return isUtf8(payload)
    ? { payload: payload.toString('utf8'), encoding: 'UTF8' as const }
    : { payload: payload.toString('base64'), encoding: 'BASE64' as const };
}
