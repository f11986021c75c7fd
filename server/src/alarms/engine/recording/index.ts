export { at, eventStatements, given, lockLogOrder, logStatements } from './store.ts';
