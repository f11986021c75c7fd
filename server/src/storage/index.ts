export { startEmbedded } from './embedded/index.ts';
export { violates } from './errors.ts';
export { openStorage, type StorageOptions } from './open.ts';
export type { Queries, Storage, Transaction } from './storage.ts';
