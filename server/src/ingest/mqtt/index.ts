export { type Mqtt, type MqttDeps, type MqttSettings, startMqtt } from './mqtt.ts';
