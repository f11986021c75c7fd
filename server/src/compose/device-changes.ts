import type { Mqtt } from '../ingest/index.ts';
import type { ChangeListener } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';

/**
 * Reacts to changes by other servers on the same database. Change notifications of this server's own
 * changes arrive too, and have no further effect.
 */
export function deviceChangeListener(
  { responseCache }: CoreServices,
  deviceCache: DeviceCache,
  { bridge }: Mqtt,
  { changes, alarmEngine, search }: IngestServices,
): ChangeListener {
  return {
    channel: 'fieldwatch_devices',
    onNotification(text) {
      const [organizationId = '', deviceId = ''] = text.split('/');
      changes.onChanged(deviceId);
      search.invalidate(organizationId, deviceId);
      bridge?.deviceChanged({ organizationId, deviceId });
      responseCache.invalidate(organizationId);
    },
    onGap() {
      deviceCache.invalidateAll();
      alarmEngine.invalidateAll();
      search.clear();
      bridge?.devicesChanged();
    },
  };
}

/** Other nodes took or handed over partitions. */
export function partitionMoves({ membership }: IngestServices): ChangeListener {
  const refresh = () => void membership.refresh().catch(() => undefined);
  return { channel: 'fieldwatch_partitions', onNotification: refresh, onGap: refresh };
}
