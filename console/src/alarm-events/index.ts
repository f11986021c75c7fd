export { useActiveEvents } from './active-events.ts';
export { conditionText, isUnacknowledged, thresholdOf } from './condition.ts';
export { WatchingAlarms } from './watching-alarms.tsx';
