export { at, eventStatements, given, queueForLog, toldStatements } from './store.ts';
