export { type Alarms, createAlarms } from './alarms.ts';
export {
  type AlarmEngine,
  type BatchJudgement,
  createAlarmEngine,
  type JudgedPart,
} from './engine/index.ts';
export {
  type AlarmFeed,
  acknowledgeOpen,
  createAlarmFeed,
  findEventRecords,
} from './history/index.ts';
export { isActive } from './is-active.ts';
export { meterAlarms } from './metering.ts';
export { alarmRoutes } from './routes.ts';
export { recordSuppressions, type Suppression } from './suppressions/index.ts';
