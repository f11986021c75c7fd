export {
  listCovered,
  listPendingWindows,
  lockPendingWindows,
  type PendingWindow,
} from './store.ts';
