import { MAX_LISTED_REJECTIONS } from '@fieldwatch/contract';
import { BoundedMap } from '../../runtime/index.ts';
import type { Sample } from '../decode/index.ts';

const REJECTION_REASONS = ['unknownPath', 'wrongType', 'badTime', 'inactive', 'codec'] as const;

/** Why a reading was rejected. */
export type RejectionReason = (typeof REJECTION_REASONS)[number];

export interface Rejected {
  readonly key: string;
  readonly reason: RejectionReason;
}

/** The outcome of one message. */
export interface MessageOutcome {
  readonly accepted: number;
  readonly rejected: readonly Rejected[];
  /** The rejected samples whose path belongs to no Variable. */
  readonly unmatched: readonly Sample[];
  /** When the message arrived. */
  readonly at: number;
}

/** Rejected readings of one Device since its counts were last written. */
export interface RejectionCounts {
  readonly deviceId: string;
  readonly rejected: Record<RejectionReason, number>;
  /** Newest first. */
  lastRejected: readonly (Rejected & { readonly at: number })[];
  /** By path, the one seen last at the end. */
  readonly unmatched: Map<string, UnmatchedPath>;
}

/** Rejected and accepted readings of one Device. */
export interface DeviceCounts extends RejectionCounts {
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

export function emptyCounts(deviceId: string): RejectionCounts {
  return {
    deviceId,
    rejected: { unknownPath: 0, wrongType: 0, badTime: 0, inactive: 0, codec: 0 },
    lastRejected: [],
    unmatched: new BoundedMap(MAX_UNMATCHED),
  };
}

/** Adds the outcome of a message. New paths are added only while `hasRoom` is true. */
export function addOutcome(
  counts: RejectionCounts,
  outcome: MessageOutcome,
  hasRoom: boolean,
): void {
  for (const { reason } of outcome.rejected) counts.rejected[reason] += 1;
  const listed = outcome.rejected.slice(0, MAX_LISTED_REJECTIONS);
  const newest = listed.slice(-MAX_LAST_REJECTED).reverse();
  if (newest.length > 0) {
    const added = newest.map(({ key, reason }) => ({ key, reason, at: outcome.at }));
    counts.lastRejected = [...added, ...counts.lastRejected].slice(0, MAX_LAST_REJECTED);
  }
  for (const { path, value, at } of outcome.unmatched) {
    if (hasRoom || counts.unmatched.has(path)) {
      addPath(counts.unmatched, { path, lastValue: value, lastAt: at, occurrences: 1 });
    }
  }
}

/** Merges counts that could not be written into newer ones. */
export function addOlderCounts(counts: RejectionCounts, older: RejectionCounts): void {
  for (const reason of REJECTION_REASONS) counts.rejected[reason] += older.rejected[reason];
  counts.lastRejected = [...counts.lastRejected, ...older.lastRejected].slice(0, MAX_LAST_REJECTED);
  const newer = [...counts.unmatched.values()];
  counts.unmatched.clear();
  for (const each of [...older.unmatched.values(), ...newer]) addPath(counts.unmatched, each);
}

function addPath(unmatched: RejectionCounts['unmatched'], added: UnmatchedPath): void {
  const known = unmatched.get(added.path);
  const newest = known && known.lastAt > added.lastAt ? known : added;
  const occurrences = added.occurrences + (known?.occurrences ?? 0);
  unmatched.set(added.path, { ...newest, occurrences });
}
