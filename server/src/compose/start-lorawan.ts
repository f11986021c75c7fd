import { codecRoutes, createCodecs, Sandbox } from '../codecs/index.ts';
import type { Config } from '../config.ts';
import type { Http } from '../http/index.ts';
import { submitAndWait } from '../ingest/index.ts';
import { createLorawan, type Lorawan, lorawanRoutes } from '../lorawan/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';

/** Receives the uplinks of network servers, and decodes them by codecs. */
export function startLorawan(
  core: CoreServices,
  { ingest, membership }: IngestServices,
  options: { config: Config; lifecycle: Lifecycle; http: Http; deviceCache: DeviceCache },
): Lorawan {
  const { config, lifecycle, http, deviceCache } = options;
  // Its threads start with the first call.
  const sandbox = new Sandbox();
  lifecycle.onStop('codecs', () => sandbox.stop());
  codecRoutes(http.serve, createCodecs({ ...core, sandbox }));
  const lorawan = createLorawan({
    ...core,
    sandbox,
    ownership: membership.ownership,
    onUndecoded(deviceId) {
      const at = core.clock.now();
      const rejected = [{ key: 'payload', reason: 'codec' }] as const;
      const outcome = { accepted: 0, rejected, unmatched: [], at };
      ingest.rejections.record({ index: core.deviceIndex.indexOf(deviceId) }, outcome);
    },
    submit(deviceId, payload, { showsPresence }) {
      const device = deviceCache.handle(deviceId);
      const receivedAt = core.clock.now();
      const message = { device, suffix: '', payload, receivedAt, showsPresence };
      return submitAndWait(ingest.submit, message);
    },
    settings: config.notify,
  });
  lorawanRoutes(http.serve, lorawan);
  lorawan.start();
  lifecycle.onStop('LoRaWAN', lorawan.stop);
  return lorawan;
}
