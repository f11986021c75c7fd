import type { VariableRef } from '../../variables/index.ts';
import type { Columns } from '../columns/index.ts';

/** The part of a Variable by which its readings are found. */
export type HistoryRef = Pick<VariableRef, 'seriesId' | 'type' | 'deviceId'>;

/** Which unflushed readings of a series are asked for: the history from a time on, or the latest value. */
export interface SeriesQuestion extends HistoryRef {
  readonly from: number;
}

export interface Question {
  readonly form: 'HISTORY' | 'LATEST';
  readonly to: number;
  readonly series: readonly SeriesQuestion[];
}

/** The node that was asked does not act for the Device, and knows nothing of its readings. */
export const MOVED = 'MOVED';

/** The unflushed readings of a series at the node that acts for its Device, in time order. */
export interface SeriesReadings {
  readonly columns: Columns;
  /** The time of the first reading that did not fit; null when these are all. */
  readonly nextFrom: number | null;
}

/** For each series of a question, in order. */
export type Answer = readonly (SeriesReadings | typeof MOVED)[];
