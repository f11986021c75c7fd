export { at, eventStatements, given, jsonOrNull, logStatements } from './store.ts';
