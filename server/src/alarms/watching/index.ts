export { noticeIdOf } from './event-id.ts';
export type { CommitReadings } from './keeper.ts';
export { queueForLog } from './recording/index.ts';
export type { Step } from './step.ts';
export { createWatching, type Watching } from './watching.ts';
