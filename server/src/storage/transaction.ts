import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { mayRunAgain } from './errors.ts';
import type { Statement, Transaction } from './storage.ts';

const MOST_RERUNS = 3;

interface Committed<T> {
  readonly result: T;
  readonly afterCommit: readonly (() => void)[];
}

/** What one run hands to its work, and what is known of it afterwards. */
interface Run extends Transaction {
  readonly callbacks: (() => void)[];
  firstError(): unknown;
  close(): void;
}

function createRun(client: ClientBase): Run {
  const callbacks: (() => void)[] = [];
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
  // The first statement of the work goes along with it: each way there and back takes its time.
  const begun = client.query('BEGIN');
  try {
    const [result] = await Promise.all([work(run), begun]);
    run.close();
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers the COMMIT of a failed transaction with a quiet ROLLBACK.
    if (command !== 'COMMIT') throw run.firstError();
    return { result, afterCommit: run.callbacks };
  } catch (error) {
    run.close();
    // Whoever releases the client sees that it is still in a transaction, and ends it.
    await client.query('ROLLBACK').catch(() => undefined);
    // Work may hide a deadlock behind an error of its own.
    throw mayRunAgain(run.firstError()) ? run.firstError() : error;
  }
}

/** Runs `work` in a transaction, and again when PostgreSQL asks for that. */
export function runTransaction<T>(
  client: ClientBase,
  work: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  return untilItRuns(() => runOnce(client, work));
}

/** Sends a whole transaction without waiting for any answer in between. */
export function runStatements(
  client: ClientBase,
  statements: () => Iterable<Statement>,
): Promise<void> {
  return untilItRuns(() => sendOnce(client, statements));
}

async function sendOnce(client: ClientBase, statements: () => Iterable<Statement>): Promise<void> {
  const answers: Promise<unknown>[] = [];
  const send = (sql: string, params: readonly unknown[] = []) => {
    answers.push(client.query(sql, [...params]));
  };
  const settled = async () => {
    const outcomes = await Promise.allSettled(answers);
    // Those behind the first that failed only say that the transaction is at its end.
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

async function untilItRuns<T>(attempt: () => Promise<T>): Promise<T> {
  for (let rerun = 0; ; rerun += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayRunAgain(error) || rerun === MOST_RERUNS) throw error;
      // Two victims that start again in step would only meet again.
      await pause(Math.random() * 20 * (rerun + 1));
    }
  }
}
