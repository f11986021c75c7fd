export { Activity } from './activity.ts';
export { Broker, type BrokerOptions } from './broker.ts';
export { Sessions } from './sessions.ts';
export type { ActiveNetwork } from './store.ts';
