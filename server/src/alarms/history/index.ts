export { type AlarmFeed, type AlarmFeedDeps, createAlarmFeed } from './feed.ts';
export { type AlarmHistory, type AlarmHistoryDeps, createAlarmHistory } from './history.ts';
