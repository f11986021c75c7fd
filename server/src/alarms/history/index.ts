export { type AlarmFeed, type AlarmFeedDeps, createAlarmFeed } from './feed/index.ts';
export {
  type AlarmHistory,
  type AlarmHistoryDeps,
  acknowledgeOpen,
  createAlarmHistory,
} from './history.ts';
export { findEventRecords } from './records.ts';
