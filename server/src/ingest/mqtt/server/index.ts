export { BROKER_LIMITS, type Broker, type BrokerLimits, createBroker } from './broker.ts';
export { createWebSocketListener } from './websocket.ts';
