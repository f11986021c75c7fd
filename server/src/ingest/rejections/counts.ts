import type { Sample } from '../decode/index.ts';

export const EXIT_REASONS = ['unknownPath', 'wrongType', 'badTime', 'inactive'] as const;

/** Why a reading was not taken. */
export type ExitReason = (typeof EXIT_REASONS)[number];

export interface Rejected {
  readonly key: string;
  readonly reason: ExitReason;
}

/** What became of one message. */
export interface Outcome {
  readonly accepted: number;
  readonly rejected: readonly Rejected[];
  /** Of the rejected ones, those whose path no Variable has. */
  readonly unmatched: readonly Sample[];
  /** When the message came in. */
  readonly at: number;
}

/** What was not taken of the messages of one Device since it was last written down. */
export interface Tally {
  readonly deviceId: string;
  readonly rejected: Record<ExitReason, number>;
  /** Newest first. */
  lastRejected: readonly (Rejected & { readonly at: number })[];
  /** By path; the one heard of last stands last. */
  readonly unmatched: Map<string, UnmatchedPath>;
}

/** What was taken of them too. */
export interface Exit extends Tally {
  readonly accepted: number;
}

export interface UnmatchedPath {
  readonly path: string;
  readonly lastValue: string | number | boolean;
  readonly lastAt: number;
  readonly occurrences: number;
}

export const MAX_LAST_REJECTED = 20;
export const MAX_UNMATCHED = 500;

export function emptyTally(deviceId: string): Tally {
  return {
    deviceId,
    rejected: { unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0 },
    lastRejected: [],
    unmatched: new Map(),
  };
}

/** Adds a message. Paths that are new are remembered only while there is room for them. */
export function addOutcome(tally: Tally, outcome: Outcome, hasRoom: boolean): void {
  for (const { reason } of outcome.rejected) tally.rejected[reason] += 1;
  const newest = outcome.rejected.slice(-MAX_LAST_REJECTED).reverse();
  if (newest.length > 0) {
    const told = newest.map(({ key, reason }) => ({ key, reason, at: outcome.at }));
    tally.lastRejected = [...told, ...tally.lastRejected].slice(0, MAX_LAST_REJECTED);
  }
  for (const { path, value, at } of outcome.unmatched) {
    if (hasRoom || tally.unmatched.has(path)) {
      addPath(tally.unmatched, { path, lastValue: value, lastAt: at, occurrences: 1 });
    }
  }
}

/** Puts a tally that could not be written under one that has begun since. */
export function addOlder(tally: Tally, older: Tally): void {
  for (const reason of EXIT_REASONS) tally.rejected[reason] += older.rejected[reason];
  tally.lastRejected = [...tally.lastRejected, ...older.lastRejected].slice(0, MAX_LAST_REJECTED);
  const newer = [...tally.unmatched.values()];
  tally.unmatched.clear();
  for (const each of [...older.unmatched.values(), ...newer]) addPath(tally.unmatched, each);
}

function addPath(unmatched: Tally['unmatched'], added: UnmatchedPath): void {
  const known = unmatched.get(added.path);
  unmatched.delete(added.path);
  const newest = known && known.lastAt > added.lastAt ? known : added;
  const occurrences = added.occurrences + (known?.occurrences ?? 0);
  unmatched.set(added.path, { ...newest, occurrences });
  for (const oldest of unmatched.keys()) {
    if (unmatched.size <= MAX_UNMATCHED) return;
    unmatched.delete(oldest);
  }
}
