import type { VariableType } from '@fieldwatch/contract';

/** A Variable as the way of a reading needs it. */
export interface VariableRef {
  /** The small key of its history. */
  readonly number: number;
  readonly id: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly type: VariableType;
  readonly isLoggingEnabled: boolean;
  /** Its `topicPropertyPath`. */
  readonly path: string;
}
