import type { Operation } from '@fieldwatch/contract';
import type Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { send } from '../../test/support/call.ts';
import { noStorage, operation, start, stopAfterEach } from '../../test/support/http.ts';
import { Failure } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import type { PreparedHandler } from './handler.ts';

interface Write extends Operation {
  readonly access: { readonly kind: 'anyone' };
  readonly effect: 'write';
  readonly reply: {
    readonly status: 200;
    readonly description: string;
    readonly body: Type.TUnknown;
  };
}

const write = operation('write', { method: 'POST', effect: 'write' }) as Operation as Write;

/** Storage that only records when a transaction begins and ends; it runs each one twice. */
function recordingStorage(steps: string[]): Storage {
  const recording: Storage = {
    ...noStorage,
    async transaction(work) {
      const tx: Transaction = {
        inTransaction: true,
        query: async () => [],
        afterCommit: () => undefined,
      };
      steps.push('begin');
      await work(tx);
      const result = await work(tx);
      steps.push('commit');
      return result;
    },
  };
  return { ...recording, anonymous: recording };
}

stopAfterEach();

describe('a write with a step before its transaction', () => {
  it('prepares once and outside of the transaction, and writes inside of it', async () => {
    const steps: string[] = [];
    const handler: PreparedHandler<Write> = {
      async prepare() {
        steps.push('prepare');
        return async ({ tx }) => {
          steps.push(tx.inTransaction ? 'write' : 'write outside');
          return { body: 'done', changes: [] };
        };
      },
    };
    const url = await start([], {
      storage: recordingStorage(steps),
      serveMore: (serve) => serve(write, handler),
    });
    const { status, body } = await send(url, 'POST', '/write');
    expect([status, body]).toEqual([200, 'done']);
    expect(steps).toEqual(['prepare', 'begin', 'write', 'write', 'commit']);
  });

  it('begins no transaction when the step before it refuses', async () => {
    const steps: string[] = [];
    const handler: PreparedHandler<Write> = {
      prepare: () => Promise.reject(new Failure('UNAUTHENTICATED', 'No.')),
    };
    const url = await start([], {
      storage: recordingStorage(steps),
      serveMore: (serve) => serve(write, handler),
    });
    expect((await send(url, 'POST', '/write')).status).toBe(401);
    expect(steps).toEqual([]);
  });
});
