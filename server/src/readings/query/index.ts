export { bucketMsOf } from './buckets.ts';
export { History, type RawReadings } from './history.ts';
export type { EncodedHistory } from './read-batches.ts';
