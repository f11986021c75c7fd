import { type Clock, type Log, Yielder } from '../runtime/index.ts';
import type { Queries } from '../storage/index.ts';
import type { DeviceIndex } from './device-index.ts';
import type { OnlineVariable } from './online-variable.ts';
import type { Presence } from './presence.ts';
import { listSeenLater, type SeriesTime, saveLastSeen } from './store.ts';

interface ReplayDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly deviceIndex: DeviceIndex;
  readonly presence: Pick<Presence, 'replayed'>;
  readonly onlineVariable: Pick<OnlineVariable, 'replayed'>;
}

const SERIES_PER_STATEMENT = 5_000;

/** Times ahead of the clock are those of an arrival by now. */
function* batchesOf(newest: Iterable<SeriesTime>, clock: Clock): Generator<readonly SeriesTime[]> {
  const all = [...newest];
  for (let first = 0; first < all.length; first += SERIES_PER_STATEMENT) {
    const now = clock.now();
    const batch = all.slice(first, first + SERIES_PER_STATEMENT);
    yield batch.map(({ seriesId, at }) => ({ seriesId, at: Math.min(at, now) }));
  }
}

/**
 * Brings presence up to date after a server was killed: last-seen times are written behind, and a
 * Device must not go offline before its window has passed since a reading that was acknowledged. The
 * journal has these readings. Their times stand for those of their arrival.
 */
export async function seeReplayed(deps: ReplayDeps, newest: Iterable<SeriesTime>): Promise<void> {
  const yielder = new Yielder(() => 1);
  for (const batch of batchesOf(newest, deps.clock)) {
    for (const { deviceId, at } of await listSeenLater(deps.storage, batch)) {
      const index = deps.deviceIndex.indexOf(deviceId);
      deps.presence.replayed(index, at);
      deps.onlineVariable.replayed(index);
    }
    await yielder.pause();
  }
}

/** The same for readings of a node that is gone. The nodes that act for its Devices read what is stored. */
export async function saveAdopted(
  { storage, clock, log }: Pick<ReplayDeps, 'storage' | 'clock'> & { readonly log: Log },
  newest: Iterable<SeriesTime>,
): Promise<void> {
  try {
    for (const batch of batchesOf(newest, clock)) {
      const seen = await listSeenLater(storage, batch);
      await saveLastSeen(
        storage,
        seen.map(({ deviceId: id, at }) => ({ id, at })),
      );
    }
  } catch (error) {
    log.warn({ err: error }, 'Devices may go offline early: adopted readings were not seen');
  }
}
