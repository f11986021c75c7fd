export type { BatchJudgement, JudgedPart } from './batch-judgement.ts';
export { type AlarmEngine, createAlarmEngine } from './engine.ts';
export { notificationIdOf } from './event-id.ts';
export type { WatchUpdate } from './watch-update.ts';
