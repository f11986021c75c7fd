export { type JudgeAndCommit, judgeAndCommit } from './commit-batch.ts';
export { createFindDeviceCaller } from './device-callers.ts';
export { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
export type { DeviceMessage, Receipt } from './message.ts';
export {
  type Bridge,
  createAlarmSubscribers,
  type Mqtt,
  type MqttSettings,
  startMqtt,
} from './mqtt/index.ts';
export { type Pipeline, submitAndWait } from './pipeline.ts';
export { ingestRoutes, publishingRoutes } from './routes.ts';
