import pg from 'pg';
import { type AvailabilityLog, Failure, type Log, setNiceness } from '../runtime/index.ts';
import { breaksConnection, isUnavailable, storageUnavailable, translated } from './errors.ts';
import type { OrderedQueries, Queries, QueryOptions, Transactions } from './storage.ts';
import { runStatements, runTransaction } from './transaction.ts';
import { valueTypes } from './values.ts';
import { within } from './within.ts';

/** The address and credentials of PostgreSQL, read again for each new connection. */
export type Target = () => pg.ClientConfig;

interface PoolOptions {
  readonly target: Target;
  readonly size: number;
  readonly log: Log;
  /** Shared by all lanes, so that the log reports an outage of storage once. */
  readonly availability?: AvailabilityLog;
  /** For a database that does not respond at all; its own statement timeout is shorter. */
  readonly answerLimitMs?: number;
  /** The niceness of the processes of PostgreSQL. Only for one of our own, on this machine. */
  readonly niceness?: number | undefined;
}

const CONNECT_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;
const END_LIMIT_MS = 5_000;
const WAITING_PER_CONNECTION = 100;

export const connectionDefaults = {
  application_name: 'fieldwatch',
  connectionTimeoutMillis: CONNECT_LIMIT_MS,
  keepAlive: true,
  types: valueTypes,
} as const satisfies pg.ClientConfig;

function openPool({ target, size, log, answerLimitMs, niceness }: PoolOptions): pg.Pool {
  class TargetClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...target() });
      followReadOnly(this);
    }
  }
  const pool = new pg.Pool({
    ...connectionDefaults,
    Client: TargetClient,
    pipeline: true,
    max: size,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_LIMIT_MS,
    query_timeout: answerLimitMs ?? STATEMENT_LIMIT_MS + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on('error', (error) => log.debug({ err: error }, 'idle database connection closed'));
  // Without a listener, a connection that ends between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (niceness) pool.on('connect', (client) => void setNiceness(processOf(client), niceness));
  return pool;
}

/** Each connection has a process of PostgreSQL behind it. */
function processOf(client: pg.PoolClient): number {
  return (client as pg.PoolClient & { readonly processID: number }).processID;
}

/** PostgreSQL reports these settings of a session when it begins, and when they change. */
const READ_ONLY_REPORTS = ['default_transaction_read_only', 'in_hot_standby'];

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

const readOnlySessions = new WeakMap<object, Set<string>>();

function followReadOnly(client: pg.Client): void {
  const reports = new Set<string>();
  readOnlySessions.set(client, reports);
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (!READ_ONLY_REPORTS.includes(parameterName)) return;
    if (parameterValue === 'on') reports.add(parameterName);
    else reports.delete(parameterName);
  });
}

/**
 * A session that began read-only may stay so when the database accepts writes again, and refuse a
 * request that would succeed in a new session. So it is not used again.
 */
function isReadOnly(client: pg.PoolClient): boolean {
  return (readOnlySessions.get(client)?.size ?? 0) > 0;
}

/** Each connection holds the plan of each prepared statement, so their number is bounded. */
const MAX_PREPARED = 50;

/** A name per text, for as many texts as are prepared. */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `s${names.size}`);
    return names.get(text);
  };
}

/** The connection is free once all results are there, also those behind a query that failed. */
async function runInOrder<T>(
  send: Queries['query'],
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const queries: Queries = {
    query<Row extends object>(...given: Parameters<Queries['query']>) {
      const result = send<Row>(...given);
      sent.push(result);
      return result;
    },
  };
  try {
    return await work(queries);
  } finally {
    await Promise.allSettled(sent);
  }
}

/** One lane of the storage door: a bounded pool of connections. */
export interface Lane extends Transactions, OrderedQueries {
  stop(): Promise<void>;
}

export function createPool(options: PoolOptions): Lane {
  const pool = openPool(options);
  const maxWaiting = options.size * WAITING_PER_CONNECTION;

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.waitingCount >= maxWaiting) {
      throw new Failure('OVERLOADED', 'Too many requests wait for storage.', {
        retryAfterSeconds: 1,
      });
    }
    const client = await pool.connect().catch((error: unknown) => {
      options.availability?.failed(error);
      throw storageUnavailable(error);
    });
    let broken = false;
    try {
      const result = await work(client);
      options.availability?.succeeded();
      return result;
    } catch (error) {
      if (isUnavailable(error)) options.availability?.failed(error);
      broken = breaksConnection(error);
      throw translated(error);
    } finally {
      client.release(broken || isReadOnly(client) || client.getTransactionStatus() !== 'I');
    }
  }

  const nameOf = createStatementNames();

  async function send<Row extends object>(
    client: pg.PoolClient,
    text: string,
    params: readonly unknown[] = [],
    { isPrepared = false }: QueryOptions = {},
  ): Promise<Row[]> {
    const name = isPrepared ? nameOf(text) : undefined;
    const statement = name === undefined ? { text } : { text, name };
    return (await client.query<Row>({ ...statement, values: [...params] })).rows;
  }

  return {
    query: (text, params, queryOptions) =>
      withClient((client) => send(client, text, params, queryOptions)),
    inOrder: (work) =>
      withClient((client) => runInOrder((...given) => send(client, ...given), work)),
    async transaction(work) {
      const { result, afterCommit } = await withClient((client) => runTransaction(client, work));
      for (const callback of afterCommit) {
        try {
          await callback();
        } catch (error) {
          options.log.error({ err: error }, 'callback after commit failed');
        }
      }
      return result;
    },
    async atomically(statements) {
      await withClient((client) => runStatements(client, statements));
    },
    async stop() {
      if (!pool.ending) await within(END_LIMIT_MS, pool.end());
    },
  };
}
