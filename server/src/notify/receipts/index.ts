export { createReceipts, type Receipts } from './receipts.ts';
export { findCall } from './store.ts';
export { handleUndelivered } from './undelivered.ts';
