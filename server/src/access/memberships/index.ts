export { ownChange } from './own-change.ts';
export { listBelongings } from './store.ts';
