export { createUnsubscribe, type Unsubscribe } from './unsubscribe.ts';
