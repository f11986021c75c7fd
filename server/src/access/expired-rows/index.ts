export { createExpiredRowCleanup } from './cleanup.ts';
