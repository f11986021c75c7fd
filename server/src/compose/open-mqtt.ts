import type { Config } from '../config.ts';
import type { Http } from '../http/index.ts';
import { type Bridge, type Mqtt, startMqtt } from '../ingest/index.ts';
import { seeReplayed } from '../presence/index.ts';
import type { Lifecycle } from '../runtime/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import type { IngestServices } from './compose-ingest.ts';
import type { CoreServices } from './core-services.ts';

/** Starts the MQTT server, or the sessions at an external broker, and what waits for it. */
export async function openMqtt(
  core: CoreServices,
  options: {
    config: Config;
    lifecycle: Lifecycle;
    deviceCache: DeviceCache;
    services: IngestServices;
    http: Http;
    hasThread: boolean;
  },
): Promise<Mqtt> {
  const { config, lifecycle, deviceCache, services, http, hasThread } = options;
  const mqtt = await startMqtt({
    ...core,
    settings: { ...config.mqtt, host: config.http.host },
    hasThread,
    deviceCache,
    submit: services.ingest.submit,
    deadLetters: services.ingest.deadLetters,
    checkWrites: services.readings.check,
    membership: services.membership,
    peers: services.peers,
    sessionListener: services.sessionReports,
    alarmSubscribers: services.alarmSubscribers,
    takeUpgrades: http.takeUpgrades,
    clientId: core.keyring.derive('mqtt-client').toString('hex').slice(0, 16),
  });
  core.metrics.addCounter({
    name: 'fieldwatch_mqtt_refused_total',
    help: 'Refused requests of MQTT clients',
    label: 'what',
    totals: mqtt.refusals,
  });
  core.metrics.addCounter({
    name: 'fieldwatch_mqtt_undelivered_total',
    help: 'Messages not delivered to an MQTT subscriber, by reason',
    label: 'reason',
    totals: mqtt.undelivered,
  });
  services.load.register({ mqttSessions: mqtt.sessionCount });
  lifecycle.onStop('mqtt', mqtt.stop);
  if (mqtt.bridge) attachBridge(core, services, mqtt.bridge);
  // Alarms are judged by time only once Devices can deliver readings that they buffered.
  services.alarmEngine.start();
  // Started last and stopped first: a server that stops reports no Device as offline.
  await services.onlineVariable.start();
  const replayed = seeReplayed(
    { ...core, ...services, storage: core.storage.background },
    services.readings.unflushedTimes(),
  ).catch((error: unknown) => {
    core.log.warn({ err: error }, 'Devices may go offline early: replayed readings were not seen');
  });
  lifecycle.onStop('online Variable', async () => {
    const { sessionReports, onlineVariable } = services;
    await Promise.all([sessionReports.stop(), onlineVariable.stop(), replayed]);
  });
  // Before anything that it needs: the other nodes take over what this one does.
  lifecycle.onStop('partitions', services.membership.retire);
  return mqtt;
}

/** The sessions at an external broker follow the partitions. */
function attachBridge({ metrics }: CoreServices, services: IngestServices, bridge: Bridge): void {
  services.beforeHandOver((partitions) => bridge.drained(partitions));
  metrics.addGauge({
    name: 'fieldwatch_broker_sessions',
    help: 'Sessions of this server at the external MQTT broker, by state',
    label: 'state',
    values: async () => bridge.sessions(),
  });
}
