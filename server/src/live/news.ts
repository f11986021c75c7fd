import type { LiveDevice } from '@fieldwatch/contract';
import type { LiveReading } from './announcement.ts';

/** New values and changed Devices of one organization. */
export interface LiveNews {
  readonly organizationId: string;
  readonly readings: readonly LiveReading[];
  readonly devices: readonly LiveDevice[];
  /** Values that were dropped, since the node did not take them in time. */
  readonly missed: number;
}
