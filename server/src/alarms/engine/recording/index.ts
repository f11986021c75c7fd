export { at, eventStatements, given, jsonOrNull, lockLogOrder, logStatements } from './store.ts';
