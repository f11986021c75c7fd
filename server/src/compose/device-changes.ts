import type { HomeAssistant } from '../home-assistant/index.ts';
import type { Mqtt } from '../ingest/index.ts';
import type { Lorawan } from '../lorawan/index.ts';
import type { ChangeListener, Listening } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';

type ChangingServices = IngestServices & {
  readonly deviceCache: DeviceCache;
  readonly mqtt: Mqtt;
  readonly homeAssistant: HomeAssistant;
  readonly lorawan: Lorawan;
};

interface Listens {
  listen(listeners: readonly ChangeListener[]): Listening;
}

/**
 * Reacts to changes by other servers on the same database. Change notifications of this server's own
 * changes arrive too; most have no further effect.
 */
export function listenForChanges(
  core: Pick<CoreServices, 'responseCache'> & { readonly storage: Listens },
  services: ChangingServices,
  credentialChanges: ChangeListener,
): Listening {
  return core.storage.listen([
    deviceChanges(core, services),
    credentialChanges,
    partitionMoves(services),
    services.homeAssistant.changes,
    services.lorawan.changes,
  ]);
}

function deviceChanges(
  { responseCache }: Pick<CoreServices, 'responseCache'>,
  services: ChangingServices,
): ChangeListener {
  const { changes, deviceCache, alarmEngine, search, homeAssistant } = services;
  const { bridge } = services.mqtt;
  return {
    channel: 'fieldwatch_devices',
    onNotification(text) {
      const [organizationId = '', deviceId = ''] = text.split('/');
      changes.onChanged(deviceId);
      search.invalidate(organizationId, deviceId);
      bridge?.deviceChanged({ organizationId, deviceId });
      homeAssistant.devicesChanged(organizationId);
      responseCache.invalidate(organizationId);
    },
    onGap() {
      deviceCache.invalidateAll();
      alarmEngine.invalidateAll();
      search.clear();
      bridge?.devicesChanged();
      homeAssistant.devicesChanged(null);
    },
  };
}

/** Other nodes took or handed over partitions. */
function partitionMoves({ membership }: IngestServices): ChangeListener {
  const refresh = () => void membership.refresh().catch(() => undefined);
  return { channel: 'fieldwatch_partitions', onNotification: refresh, onGap: refresh };
}
