export type { Bridge } from './bridge/index.ts';
export { type Mqtt, type MqttDeps, type MqttSettings, startMqtt } from './mqtt.ts';
export { type AlarmSubscribers, createAlarmSubscribers } from './session/index.ts';
