export { BROKER_LIMITS, type BrokerLimits, createBroker } from './broker.ts';
export { listen } from './listener.ts';
export { createWebSocketDoor } from './websocket.ts';
