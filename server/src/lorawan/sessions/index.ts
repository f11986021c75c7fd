export { Activity } from './activity.ts';
export { Broker } from './broker.ts';
export { Sessions } from './sessions.ts';
export type { ActiveNetwork } from './store.ts';
