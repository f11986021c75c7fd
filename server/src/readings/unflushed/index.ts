export type { HistoryRef } from './question.ts';
export { type Unflushed, type UnflushedDeps, UnflushedReadings } from './unflushed.ts';
