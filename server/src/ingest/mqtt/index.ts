export { createFollowers, type Followers } from './followers.ts';
export { type Mqtt, type MqttDeps, type MqttSettings, startMqtt } from './mqtt.ts';
