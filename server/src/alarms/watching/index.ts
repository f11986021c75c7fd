export type { BatchJudgement } from './batch-judgement.ts';
export { noticeIdOf } from './event-id.ts';
export { queueForLog } from './recording/index.ts';
export type { Step } from './step.ts';
export { createWatching, type Watching } from './watching.ts';
