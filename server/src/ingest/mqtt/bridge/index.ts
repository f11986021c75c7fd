export { startExternalBroker } from './bridge.ts';
