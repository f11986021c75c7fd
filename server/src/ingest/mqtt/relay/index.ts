export type { Message } from './message.ts';
export { Relay, type RelayDeps } from './relay.ts';
