import type { Config } from '../config.ts';
import {
  createHomeAssistant,
  type HomeAssistant,
  homeAssistantRoutes,
} from '../home-assistant/index.ts';
import type { Http } from '../http/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';
import { VERSION } from './version.ts';

/** Publishes Devices to Home Assistant, from the readings that live streams get too. */
export function startHomeAssistant(
  core: CoreServices,
  { live, readings, membership }: IngestServices,
  { config, lifecycle, http }: { config: Config; lifecycle: Lifecycle; http: Http },
): HomeAssistant {
  const homeAssistant = createHomeAssistant({
    ...core,
    ownership: membership.ownership,
    listen: live.listen,
    latest: async (variables) => (await readings.latest(variables)).values,
    version: VERSION,
    settings: config.notify,
  });
  homeAssistantRoutes(http.serve, homeAssistant);
  homeAssistant.start();
  lifecycle.onStop('Home Assistant', homeAssistant.stop);
  return homeAssistant;
}
