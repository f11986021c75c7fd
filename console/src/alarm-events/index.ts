export { useActiveEvents } from './active-events.ts';
export { ActiveAlarms, ClearedAlarms } from './alarm-panels.tsx';
export { byUrgency, conditionText, isUnacknowledged, thresholdOf } from './condition.ts';
export { SuppressionBadge } from './suppression-badge.tsx';
export { type Units, useUnits } from './units.ts';
export { WatchingAlarms } from './watching-alarms.tsx';
