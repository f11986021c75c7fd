export { bucketMsOf } from './buckets.ts';
export type { RawReadings } from './first-readings.ts';
export { History } from './history.ts';
export type { EncodedHistory } from './read-batches.ts';
