export { at, queueForLog, records, storeEvents, tellOfEvents } from './store.ts';
