export { listCovered, lockPendingWindows } from './store.ts';
