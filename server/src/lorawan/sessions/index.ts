export { Activity } from './activity.ts';
export { Sessions } from './sessions.ts';
