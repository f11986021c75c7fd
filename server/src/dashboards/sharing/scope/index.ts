export { loadScope, type Scope } from './scope.ts';
export {
  type ActiveAlarmRow,
  findLocations,
  listActiveAlarms,
  listThresholds,
  type ThresholdRow,
} from './store.ts';
