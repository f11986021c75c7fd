export { type AlarmFeed, type AlarmFeedDeps, createAlarmFeed } from './feed.ts';
