import type { ResponseCache } from '../http/index.ts';
import type { DeviceIndex } from '../presence/index.ts';
import type { Clock, Keyring, Log, Metrics, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';

/** The services that nearly every part needs. */
export interface CoreServices {
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly metrics: Metrics;
  readonly keyring: Keyring;
  readonly storage: Storage;
  /** The id of this server among the nodes on its database. */
  readonly nodeId: string;
  readonly deviceIndex: DeviceIndex;
  readonly responseCache: ResponseCache;
  /** How long a Device counts as online after it was last seen, unless it has a time of its own. */
  readonly onlineMinutes: number;
}
