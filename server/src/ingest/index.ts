export { createFindDeviceCaller } from './device-callers.ts';
export { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
export { createAlarmSubscribers, type Mqtt, type MqttSettings, startMqtt } from './mqtt/index.ts';
export type { DeviceMessage, Pipeline, Receipt } from './pipeline.ts';
export { ingestRoutes, publishingRoutes } from './routes.ts';
