import {
  type Beginning,
  CLEAR,
  dueAt,
  type JudgedTerms,
  type Value,
  type Watch,
} from '../judgement/index.ts';

/** A watch as it is stored. Times are in epoch milliseconds. */
export interface WatchRow {
  readonly phase: Watch['phase'];
  /** The reading that began the hold, or the clearing. */
  readonly beganAt: number | null;
  readonly beganValue: Value | null;
  readonly arrivedAt: number | null;
  /** When the occurrence of the open event began, and when its event was raised. */
  readonly startedAt: number | null;
  readonly raisedAt: number | null;
  /** When the clock ends it without a further reading. */
  readonly dueAt: number | null;
}

const NOTHING: Omit<WatchRow, 'phase'> = {
  beganAt: null,
  beganValue: null,
  arrivedAt: null,
  startedAt: null,
  raisedAt: null,
  dueAt: null,
};

export function rowOf(watch: Watch, terms: JudgedTerms): WatchRow {
  const row = { ...NOTHING, phase: watch.phase, dueAt: dueAt(watch, terms) };
  switch (watch.phase) {
    case 'CLEAR':
      return row;
    case 'PENDING':
      return { ...row, ...began(watch.held) };
    case 'TRIGGERED':
      return { ...row, startedAt: watch.startedAt, raisedAt: watch.raisedAt };
    case 'CLEARING':
      return {
        ...row,
        ...began(watch.failed),
        startedAt: watch.startedAt,
        raisedAt: watch.raisedAt,
      };
  }
}

function began({ at, value, arrivedAt }: Beginning) {
  return { beganAt: at, beganValue: value, arrivedAt };
}

export function watchOf(row: WatchRow): Watch {
  const { phase, startedAt, raisedAt } = row;
  const beginning = beginningOf(row);
  if (phase === 'PENDING' && beginning) return { phase, held: beginning };
  if (startedAt === null || raisedAt === null) return CLEAR;
  if (phase === 'CLEARING' && beginning) return { phase, startedAt, raisedAt, failed: beginning };
  return { phase: 'TRIGGERED', startedAt, raisedAt };
}

function beginningOf({ beganAt, beganValue, arrivedAt }: WatchRow): Beginning | null {
  if (beganAt === null || beganValue === null || arrivedAt === null) return null;
  return { at: beganAt, value: beganValue, arrivedAt };
}
