export { type Alarms, createAlarms } from './alarms.ts';
export {
  type AlarmEngine,
  type BatchJudgement,
  createAlarmEngine,
  type JudgedPart,
} from './engine/index.ts';
export { type AlarmFeed, createAlarmFeed, findEventRecords } from './history/index.ts';
export { meterAlarms } from './metering.ts';
export { alarmRoutes } from './routes.ts';
