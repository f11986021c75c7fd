import type { VariableRef } from '../variables/index.ts';

export type Value = number | boolean | string;

export interface TimedValue {
  /** Reading time in epoch milliseconds. */
  readonly at: number;
  readonly value: Value;
}

/** A value that a Variable had at a time. */
export interface Reading extends TimedValue {
  readonly variable: VariableRef;
  /** Its Device stated a time that was ahead of the clock when it arrived. */
  readonly isAhead?: boolean;
}

/** Which readings are asked for; both ends belong to it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const ALL_TIMES: Range = { from: -Infinity, to: Infinity };
