import type { Kind } from '../columns/index.ts';
import type { DecodedSlice } from '../slices/index.ts';

/** Processes readings in order in a worker thread, and returns a result for each step. */
export interface Consumer<Result> {
  begin(): Result;
  add(parts: Iterable<DecodedSlice>): Result;
  end(): Result;
}

/** The module of a consumer; a worker thread imports it by its address. */
export interface ConsumerModule {
  createConsumer(plan: unknown, kinds: readonly Kind[]): Consumer<unknown>;
}

/** A consumer, in a form that can be sent to a worker thread. */
export interface ConsumerRef {
  /** The address of its `ConsumerModule`. */
  readonly module: string;
  /** Passed to `createConsumer`. */
  readonly plan: unknown;
}
