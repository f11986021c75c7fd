export { BROKER_LIMITS, type BrokerLimits, createBroker } from './broker.ts';
export { listen } from './listener.ts';
export { createWebSocketListener } from './websocket.ts';
