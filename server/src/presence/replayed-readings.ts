import { type Clock, Yielder } from '../runtime/index.ts';
import type { Queries } from '../storage/index.ts';
import type { DeviceIndex } from './device-index.ts';
import type { OnlineVariable } from './online-variable.ts';
import type { Presence } from './presence.ts';
import { listSeenLater, type SeriesTime } from './store.ts';

interface ReplayDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly deviceIndex: DeviceIndex;
  readonly presence: Pick<Presence, 'replayed'>;
  readonly onlineVariable: Pick<OnlineVariable, 'replayed'>;
}

const SERIES_PER_STATEMENT = 5_000;

/**
 * Brings presence up to date after a server was killed: last-seen times are written behind, and a
 * Device must not go offline before its window has passed since a reading that was acknowledged. The
 * journal has these readings. Their times stand for those of their arrival.
 */
export async function seeReplayed(deps: ReplayDeps, newest: Iterable<SeriesTime>): Promise<void> {
  const yielder = new Yielder(() => 1);
  const all = [...newest];
  for (let first = 0; first < all.length; first += SERIES_PER_STATEMENT) {
    const now = deps.clock.now();
    const batch = all
      .slice(first, first + SERIES_PER_STATEMENT)
      .map(({ seriesId, at }) => ({ seriesId, at: Math.min(at, now) }));
    for (const { deviceId, at } of await listSeenLater(deps.storage, batch)) {
      const index = deps.deviceIndex.indexOf(deviceId);
      deps.presence.replayed(index, at);
      deps.onlineVariable.replayed(index);
    }
    await yielder.pause();
  }
}
