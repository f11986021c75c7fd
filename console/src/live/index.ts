export type { LiveState } from './follow.ts';
export {
  LiveProvider,
  useLatest,
  useLiveState,
  useLiveValue,
  useLostSince,
  usePresence,
  useValueListener,
} from './live.tsx';
export type { LiveValue } from './values.ts';
