export { startBridge } from './bridge.ts';
