export { byUrgency, conditionText, isWaiting, thresholdOf } from './condition.ts';
export { useOpenEvents } from './open-events.ts';
export { WatchingAlarms } from './watching.tsx';
