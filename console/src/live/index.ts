export type { LiveState } from './follow.ts';
export {
  LiveProvider,
  useAlarmListener,
  useLatest,
  useLatestOfMany,
  useLiveState,
  useLiveValue,
  useLiveValues,
  useLostSince,
  usePresence,
  useValueListener,
} from './live.tsx';
export type { LiveValue } from './values.ts';
