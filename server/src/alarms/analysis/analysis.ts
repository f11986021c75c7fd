import { type AlarmBacktest, MAX_BACKTEST_EVENTS, type Operations } from '@fieldwatch/contract';
import { credentialOf, type Handler } from '../../http/index.ts';
import {
  createConcurrencyLimit,
  Failure,
  invalid,
  isoDateTime,
  moduleBeside,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { judgedTermsOf } from '../judgement/index.ts';
import { requireNamed } from '../references.ts';
import { alarmErrors, newAlarmTerms } from '../terms.ts';
import type { BacktestResult } from './backtest.ts';
import type { BacktestPlan, BacktestProgress } from './consumer.ts';
import * as store from './store.ts';

export interface AnalysisDeps {
  readonly storage: Storage;
  /** Passes the history of a Variable to a consumer module in a worker thread, some at a time. */
  readonly consumeHistory: <Result>(
    ref: store.Subject,
    range: { readonly from: number; readonly to: number },
    consumer: { readonly module: string; readonly plan: unknown },
  ) => AsyncGenerator<Result>;
}

/** What can be learnt from history. */
export interface AlarmAnalysis {
  readonly backtest: Handler<Operations['backtestAlarm']>;
  readonly kpis: Handler<Operations['retrieveAlarmKpis']>;
}

const LISTED = 10;
const HOUR_MS = 3_600_000;
const MAX_BACKTEST_READINGS = 10_000_000;
const MAX_CONCURRENT_BACKTESTS = 4;
const CONSUMER = moduleBeside(import.meta.url, 'consumer');
const RETRY = { retryAfterSeconds: 1 } as const;

export function createAlarmAnalysis(deps: AnalysisDeps): AlarmAnalysis {
  return { backtest: backtest(deps), kpis: kpis(deps) };
}

function backtest(deps: AnalysisDeps): AlarmAnalysis['backtest'] {
  const limit = createConcurrencyLimit({ perKey: 1, inAll: MAX_CONCURRENT_BACKTESTS });
  const run = runBacktest(deps);
  return async (input, context) => {
    const credential = credentialOf(context.caller);
    const outcome = limit.enter(credential);
    if (outcome !== 'entered') throw busy(outcome);
    try {
      return await run(input, context);
    } finally {
      limit.leave(credential);
    }
  };
}

function busy(outcome: 'over key limit' | 'over total limit'): Failure {
  return outcome === 'over key limit'
    ? new Failure('TOO_MANY_REQUESTS', 'One backtest at a time for one credential.', RETRY)
    : new Failure('OVERLOADED', 'Too many backtests are under way.', RETRY);
}

function runBacktest({ storage, consumeHistory }: AnalysisDeps): AlarmAnalysis['backtest'] {
  return async ({ params: { organizationId }, body }, { now, isClientGone }) => {
    const { startTime, endTime, ...alarm } = body;
    const terms = newAlarmTerms(alarm);
    const subject = await storage.transaction(async (tx) => {
      await requireNamed(tx, organizationId, terms);
      return await store.findSubject(tx, organizationId, terms.deviceVariableId);
    });
    const errors = alarmErrors(terms, subject);
    if (errors.length > 0) throw invalid(...errors);
    const limits = { endTime, now, maxEvents: MAX_BACKTEST_EVENTS };
    const plan: BacktestPlan = { terms: judgedTermsOf(terms), limits };
    const range = { from: startTime, to: endTime };
    const progress = consumeHistory<BacktestProgress>(subject, range, { module: CONSUMER, plan });
    return { body: backtestRecord(await resultOf(progress, isClientGone)) };
  };
}

/** Leaving the loop ends the job in the worker thread. */
async function resultOf(
  progress: AsyncGenerator<BacktestProgress>,
  isClientGone: () => boolean,
): Promise<BacktestResult> {
  for await (const { readingCount, result } of progress) {
    if (readingCount > MAX_BACKTEST_READINGS) throw tooMany();
    if (result) return result;
    if (isClientGone()) throw new Failure('OVERLOADED', 'The client closed the connection.', RETRY);
  }
  throw new Error('the backtest ended without a result');
}

export function backtestRecord({ events, ...counts }: BacktestResult): AlarmBacktest {
  return {
    ...counts,
    events: events.map(({ raisedAt, raisedValue, clearedAt, clearedValue }) => ({
      raisedDateTime: isoDateTime(raisedAt),
      raisedValue,
      clearedDateTime: clearedAt === null ? null : isoDateTime(clearedAt),
      clearedValue,
    })),
  };
}

function tooMany(): Failure {
  const message = `leaves more than ${MAX_BACKTEST_READINGS} readings to judge`;
  return invalid({ path: 'endTime', message });
}

function kpis({ storage }: AnalysisDeps): AlarmAnalysis['kpis'] {
  return async ({ params: { organizationId }, query }) => {
    const { endTime } = query;
    const [severities, openCount, peak, standing, mostFrequent, chattering] = await Promise.all([
      store.countBySeverity(storage, organizationId, query),
      store.countOpen(storage, organizationId, endTime),
      store.findPeak(storage, organizationId, query),
      store.listLongestStanding(storage, organizationId, endTime, LISTED),
      store.listMostFrequent(storage, organizationId, query, LISTED),
      store.listChattering(storage, organizationId, query, LISTED),
    ]);
    const bySeverity = { INFO: 0, LOW: 0, MEDIUM: 0, HIGH: 0, CRITICAL: 0 };
    let eventCount = 0;
    for (const { severity, count } of severities) {
      bySeverity[severity] = count;
      eventCount += count;
    }
    const hours = Math.max(endTime - query.startTime, 1) / HOUR_MS;
    return {
      body: {
        eventCount,
        openCount,
        eventsPerHour: eventCount / hours,
        peakTenMinutes: peak && { startDateTime: isoDateTime(peak.startAt), count: peak.count },
        bySeverity,
        longestStanding: standing.map(({ raisedAt, ...event }) => {
          return { ...event, raisedDateTime: isoDateTime(raisedAt) };
        }),
        mostFrequent,
        chattering,
      },
    };
  };
}
