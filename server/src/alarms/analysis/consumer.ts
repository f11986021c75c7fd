import type { JudgedTerms, Value } from '../judgement/index.ts';
import { Backtest, type BacktestLimits, type BacktestResult } from './backtest.ts';

export interface BacktestPlan {
  readonly terms: JudgedTerms;
  readonly limits: BacktestLimits;
}

/** How far a backtest is; the result comes last. */
export interface BacktestProgress {
  readonly readingCount: number;
  readonly result: BacktestResult | null;
}

/** Some readings of a Variable in the order of time; booleans are 0 and 1. */
interface Columns {
  readonly kind: 'NUMBER' | 'BOOLEAN' | 'STRING';
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number | string>;
}

/**
 * Runs in a worker thread, which decodes the history. It imports the judgement alone, so that the
 * thread loads neither storage nor HTTP.
 */
export function createConsumer({ terms, limits }: BacktestPlan) {
  const run = new Backtest(terms, limits);
  const progress = (): BacktestProgress => ({ readingCount: run.readingCount, result: null });
  return {
    begin: progress,
    add(parts: Iterable<{ readonly columns: Columns }>): BacktestProgress {
      for (const { columns } of parts) addColumns(run, columns);
      return progress();
    },
    end: (): BacktestProgress => ({ ...progress(), result: run.finish() }),
  };
}

function addColumns(run: Backtest, { kind, times, values }: Columns): void {
  for (let index = 0; index < times.length; index += 1) {
    const value = values[index] as Value;
    run.add(times[index] as number, kind === 'BOOLEAN' ? value === 1 : value);
  }
}
