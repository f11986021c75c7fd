import { isEpochEnded, type Transactions } from '../storage/index.ts';
import { EpochEnded } from './epoch-ended.ts';
import { epochStatement, type Incarnation, requireEpoch } from './store.ts';

/** What the commits of a node carry, so that none follows after another node has taken over. */
export interface Fence {
  readonly incarnation: Incarnation;
  /** Resolves while the lease is held. Once it has ended, renews it, or rejects. */
  ready(): Promise<void>;
  /** Resolves while no other node can have taken over: what this one has in memory is then all. */
  confirm(): Promise<void>;
}

/** Runs a commit that carries the epoch of the node. */
export async function guarded<T>(fence: Fence, commit: () => Promise<T>): Promise<T> {
  await fence.ready();
  try {
    return await commit();
  } catch (error) {
    throw isEpochEnded(error) ? new EpochEnded() : error;
  }
}

/** The lane of a node that acts for its Devices: every transaction carries the epoch of the node. */
export function fenced(lane: Transactions, fence: Fence): Transactions {
  return {
    query: (text, params) => lane.query(text, params),
    transaction: (work) =>
      guarded(fence, () =>
        lane.transaction(async (tx) => {
          await requireEpoch(tx, fence.incarnation);
          return await work(tx);
        }),
      ),
    atomically: (statements) =>
      guarded(fence, () =>
        lane.atomically(function* () {
          yield epochStatement(fence.incarnation);
          yield* statements();
        }),
      ),
  };
}
