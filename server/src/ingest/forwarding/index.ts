export { createForwarding, type PeerCalls } from './create.ts';
export type { Forwarding } from './forwarding.ts';
