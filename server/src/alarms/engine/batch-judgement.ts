import type { Statement } from '../../storage/index.ts';

/**
 * The judgement of a batch of readings. The caller commits the readings with the statements in one
 * transaction, and then calls `stored` or `refused`, exactly one of them. Until then no other batch
 * is judged for the Devices whose alarms change.
 */
export interface BatchJudgement {
  /** The changes of alarms; null when there are none. */
  readonly statements: (() => Iterable<Statement>) | null;
  /** The readings and the statements are stored. */
  stored(): void;
  /**
   * Nothing is stored. When an alarm was changed elsewhere since it was read, resolves with the
   * judgement on its new state; otherwise rejects with the error, and the batch is not judged.
   */
  refused(error: unknown): Promise<BatchJudgement>;
}

/** The judgement of some Devices of a batch, whose readings are committed by themselves. */
export interface JudgedPart {
  /** The Devices of the part; null for all Devices of the batch that no other part has. */
  readonly deviceIds: ReadonlySet<string> | null;
  readonly judgement: BatchJudgement;
  /** Resolves when another batch waits for a Device of the part. */
  readonly awaited: Promise<void>;
}
