import type { Ingest } from '../ingest/index.ts';
import type { MembershipHooks } from '../nodes/index.ts';
import type { OnlineVariable, Presence } from '../presence/index.ts';
import type { Readings } from '../readings/index.ts';

export type Drain = MembershipHooks['drain'];

interface PartitionParts {
  readonly readings: Readings;
  readonly ingest: Ingest;
  readonly onlineVariable: OnlineVariable;
  readonly presence: Presence;
  /** What precedes the end of the messages in flight. */
  readonly drains: readonly Drain[];
}

/** What a change of partitions asks of the parts, once they have started. */
export function partitionHooks(
  parts: () => PartitionParts,
): Pick<MembershipHooks, 'adoptJournals' | 'drain'> {
  return {
    adoptJournals: () => parts().readings.adopt(),
    async drain(partitions) {
      const { readings, ingest, onlineVariable, presence, drains } = parts();
      await Promise.all(drains.map((drain) => drain(partitions)));
      await Promise.all([ingest.settled(), onlineVariable.settled()]);
      await Promise.all([readings.drain(partitions), presence.flush()]);
    },
  };
}
