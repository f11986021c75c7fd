export { listWaiting, releaseWaiting, returnWaiting } from './store.ts';
