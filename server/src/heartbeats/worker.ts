import {
  type Clock,
  every,
  type Log,
  type Outbound,
  OutboundError,
  withTimeout,
} from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { addressOf, isDue, problemsOf, type Vitals } from './decision.ts';
import * as store from './store.ts';

export interface WorkerDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
  /** Whether this node acts for what has the id: one node alone calls for each heartbeat. */
  readonly owns: (id: string) => boolean;
  readonly vitals: () => Promise<Vitals>;
}

export interface HeartbeatWorker {
  start(): void;
  /** Ends calls in progress. */
  stop(): Promise<void>;
  /** Checks since the start, by what came of them. */
  totals(): Readonly<Record<Outcome, number>>;
}

type Outcome = 'sent' | 'unhealthy' | 'failed';

const TICK_MS = 1_000;
const STORAGE_LIMIT_MS = 5_000;
/** Of all organizations, those that are due first. */
const MAX_ACTIVE = 1_000;
const MAX_CONCURRENT_CALLS = 20;

/**
 * Calls the addresses of heartbeats when they are due. The list is read every second and kept: while
 * storage is unavailable, the services that have an address for failures are called from memory.
 */
export function createHeartbeatWorker(deps: WorkerDeps): HeartbeatWorker {
  const { clock, log, owns, vitals } = deps;
  const stopping = new AbortController();
  const sender = { ...deps, signal: stopping.signal };
  const counts = { sent: 0, unhealthy: 0, failed: 0 };
  const calls = new Map<string, Promise<void>>();
  let known = new Map<string, store.ActiveHeartbeat>();

  async function tick(): Promise<void> {
    known = await listKnown(deps, known);
    const now = clock.now();
    const due = [...known.values()]
      .filter((each) => isDue(each, now) && owns(each.id) && !calls.has(each.id))
      .slice(0, MAX_CONCURRENT_CALLS - calls.size);
    if (due.length === 0) return;
    const problems = problemsOf(await vitals());
    for (const heartbeat of due) calls.set(heartbeat.id, serve(heartbeat, problems));
  }

  async function serve(heartbeat: store.ActiveHeartbeat, problems: string[]): Promise<void> {
    const { id, everySeconds } = heartbeat;
    try {
      const nextAt = clock.now() + everySeconds * 1_000;
      if (!(await isClaimed(deps, heartbeat, nextAt, problems.length > 0))) return;
      known.set(id, { ...heartbeat, nextAt });
      counts[await callAndRecord(sender, heartbeat, problems)] += 1;
    } catch (error) {
      log.warn({ err: error, heartbeatId: id }, 'a heartbeat could not be sent');
    } finally {
      calls.delete(id);
    }
  }

  const periodic = every(TICK_MS, tick, (error) =>
    log.warn({ err: error }, 'heartbeats could not be checked; trying again'),
  );
  return {
    start: periodic.start,
    async stop() {
      stopping.abort();
      await periodic.stop();
      await Promise.all(calls.values());
    },
    totals: () => counts,
  };
}

const late = (ms: number) => new Error(`storage did not answer within ${ms} ms`);

/** The active heartbeats as they are stored, or as they were last read. */
async function listKnown(
  { storage, log }: Pick<WorkerDeps, 'storage' | 'log'>,
  before: Map<string, store.ActiveHeartbeat>,
): Promise<Map<string, store.ActiveHeartbeat>> {
  try {
    const listed = store.listActive(storage.background, MAX_ACTIVE);
    const rows = await withTimeout(STORAGE_LIMIT_MS, listed, late);
    return new Map(rows.map((row) => [row.id, row]));
  } catch (error) {
    log.debug({ err: error }, 'heartbeats could not be read');
    return before;
  }
}

/** A failure is reported even if storage cannot say who reports it: a second report is harmless. */
async function isClaimed(
  { storage }: Pick<WorkerDeps, 'storage'>,
  heartbeat: store.ActiveHeartbeat,
  nextAt: number,
  hasProblems: boolean,
): Promise<boolean> {
  try {
    const claimed = store.claim(storage.background, heartbeat, nextAt);
    return await withTimeout(STORAGE_LIMIT_MS, claimed, late);
  } catch (error) {
    if (hasProblems) return true;
    throw error;
  }
}

type Sender = Pick<WorkerDeps, 'storage' | 'clock' | 'log' | 'outbound'> & {
  readonly signal: AbortSignal;
};

async function callAndRecord(
  sender: Sender,
  heartbeat: store.ActiveHeartbeat,
  problems: readonly string[],
): Promise<Outcome> {
  const { storage, clock, log } = sender;
  const isHealthy = problems.length === 0;
  const url = addressOf(heartbeat, isHealthy);
  const callError = url === null ? null : await call(sender, url);
  const errors = callError === null ? problems : [...problems, `the call failed: ${callError}`];
  const error = errors.length === 0 ? null : errors.join('; ');
  const sentAt = isHealthy && callError === null ? clock.now() : null;
  try {
    await store.recordResult(storage.background, heartbeat, { isHealthy, sentAt, error });
  } catch (failure) {
    log.debug({ err: failure }, 'the result of a heartbeat could not be stored');
  }
  if (!isHealthy) return 'unhealthy';
  return callError === null ? 'sent' : 'failed';
}

/** What went wrong; null when the service accepted the call. */
async function call({ outbound, signal }: Sender, url: string): Promise<string | null> {
  const headers = { 'user-agent': 'Fieldwatch' };
  try {
    const { status } = await outbound.request(url, { method: 'GET', headers, body: '', signal });
    return status >= 200 && status < 300 ? null : `the answer was ${status}`;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.message;
  }
}
