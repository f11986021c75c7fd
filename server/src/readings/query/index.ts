export { bucketMsOf } from './buckets.ts';
export { HistoryReader, type HistoryRef, type RawReadings } from './history-reader.ts';
export type { EncodedHistory } from './read-batches.ts';
