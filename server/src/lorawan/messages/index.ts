export {
  type GatewayEvent,
  type LorawanEvent,
  type ReceivingGateway,
  type SensorEvent,
  UnreadableEvent,
  type Uplink,
} from './event.ts';
export { eventOfBody, eventOfMessage, filtersOf, type TopicSettings } from './topics.ts';
