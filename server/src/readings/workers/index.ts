export type { Consumer, ConsumerRef } from './consumer.ts';
export { WorkerPool } from './pool.ts';
