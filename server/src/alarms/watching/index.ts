export { noticeIdOf } from './event-id.ts';
export type { CommitReadings } from './keeper.ts';
export { queueForLog } from './recording/index.ts';
export type { Step } from './step.ts';
export {
  ALWAYS_READY,
  CLEAR,
  type JudgedTerms,
  type Judgement,
  judge,
  judgeByClock,
  judgedTermsOf,
  type Transition,
  type Value,
  type Watch,
} from './watch.ts';
export { createWatching, type Watching } from './watching.ts';
