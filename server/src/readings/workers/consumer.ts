import type { Kind } from '../columns/index.ts';
import type { Part } from '../slices/index.ts';

/** Works in a worker thread on readings in their order, and returns something for each step. */
export interface Consumer<Result> {
  begin(): Result;
  add(parts: Iterable<Part>): Result;
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
