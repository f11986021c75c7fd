export { ownChange } from './own-change.ts';
export { listBelongings, lockUser } from './store.ts';
