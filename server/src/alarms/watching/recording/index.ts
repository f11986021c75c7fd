export { at, given, queueForLog, storeEvents, tellOfEvents } from './store.ts';
