import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { isAborted, mayRunAgain } from './errors.ts';
import type { Statement, Transaction } from './storage.ts';

const MAX_RERUNS = 3;

interface Committed<T> {
  readonly result: T;
  readonly afterCommit: readonly (() => unknown)[];
}

/** One attempt of a transaction: what its work uses, and its outcome. */
interface Run extends Transaction {
  readonly callbacks: (() => unknown)[];
  firstError(): unknown;
  close(): void;
}

function createRun(client: ClientBase): Run {
  const callbacks: (() => unknown)[] = [];
  let open = true;
  let firstError: unknown;

  function assertOpen(): void {
    if (!open) throw new Error('the transaction has ended');
  }

  return {
    inTransaction: true,
    callbacks,
    firstError: () => firstError,
    async query<Row extends object>(sql: string, params: readonly unknown[] = []) {
      assertOpen();
      try {
        return (await client.query<Row>(sql, [...params])).rows;
      } catch (error) {
        firstError ??= error;
        throw error;
      }
    },
    afterCommit(callback) {
      assertOpen();
      callbacks.push(callback);
    },
    close() {
      open = false;
    },
  };
}

async function runOnce<T>(
  client: ClientBase,
  work: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const run = createRun(client);
  // BEGIN is not awaited: the first statement is pipelined with it, which saves a round trip.
  const begun = client.query('BEGIN');
  try {
    const [result] = await Promise.all([work(run), begun]);
    run.close();
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw run.firstError();
    return { result, afterCommit: run.callbacks };
  } catch (error) {
    run.close();
    // When the rollback fails, releasing the client closes the connection, which ends the transaction.
    await client.query('ROLLBACK').catch(() => undefined);
    // Work may hide a deadlock behind an error of its own, and the cause of a failure behind an error
    // of a later statement, which only says that the transaction is aborted.
    const isHidden = mayRunAgain(run.firstError()) || isAborted(error);
    throw isHidden ? run.firstError() : error;
  }
}

/** Runs `work` in a transaction, and again when PostgreSQL asks for that. */
export function runTransaction<T>(
  client: ClientBase,
  work: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  return withReruns(() => runOnce(client, work));
}

/** Sends a whole transaction without waiting for any answer in between. */
export function runStatements(
  client: ClientBase,
  statements: () => Iterable<Statement>,
): Promise<void> {
  return withReruns(() => sendOnce(client, statements));
}

async function sendOnce(client: ClientBase, statements: () => Iterable<Statement>): Promise<void> {
  const answers: Promise<unknown>[] = [];
  const send = (sql: string, params: readonly unknown[] = []) => {
    answers.push(client.query(sql, [...params]));
  };
  const settled = async () => {
    const outcomes = await Promise.allSettled(answers);
    // Statements behind the first failure only report that the transaction is aborted.
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  };
  send('BEGIN');
  try {
    for (const { sql, params } of statements()) send(sql, params);
  } catch (error) {
    send('ROLLBACK');
    await settled().catch(() => undefined);
    throw error;
  }
  send('COMMIT');
  await settled();
}

async function withReruns<T>(attempt: () => Promise<T>): Promise<T> {
  for (let rerun = 0; ; rerun += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayRunAgain(error) || rerun === MAX_RERUNS) throw error;
      // Two deadlock victims that run again in step would deadlock again.
      await pause(Math.random() * 20 * (rerun + 1));
    }
  }
}
