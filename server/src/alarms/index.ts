export { type Alarms, createAlarms } from './alarms.ts';
export { type AlarmFeed, createAlarmFeed, findEventRecords } from './history/index.ts';
export { meterAlarms } from './metering.ts';
export { alarmRoutes } from './routes.ts';
export { type BatchJudgement, createWatching, type Watching } from './watching/index.ts';
