export type { Consumer, ConsumerRef, Undecoded } from './consumer.ts';
export { WorkerPool } from './pool.ts';
