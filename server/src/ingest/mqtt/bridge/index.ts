export type { Bridge } from './bridge.ts';
export { createBridge } from './create.ts';
