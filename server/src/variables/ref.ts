import type { VariableType } from '@fieldwatch/contract';

/** A Variable as the way of a reading needs it. */
export interface VariableRef {
  /** The key of its history: the column `variables.number`, a small integer. */
  readonly seriesId: number;
  readonly id: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly type: VariableType;
  readonly isLoggingEnabled: boolean;
  /** Its `topicPropertyPath`. */
  readonly path: string;
}
