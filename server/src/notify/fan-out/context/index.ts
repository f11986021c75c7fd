export { describeEvents } from './store.ts';
