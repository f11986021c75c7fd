export { type AlarmSubscribers, createAlarmSubscribers } from './alarm-subscribers.ts';
export { type Mqtt, type MqttDeps, type MqttSettings, startMqtt } from './mqtt.ts';
