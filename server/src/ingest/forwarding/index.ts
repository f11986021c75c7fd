export { createForwarding } from './create.ts';
export type { Forwarding } from './forwarding.ts';
