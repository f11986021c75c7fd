export {
  attemptUrls,
  type CallbackDeps,
  refusal,
  replyUrl,
  reportedOfAttempt,
  reportedToChannel,
} from './callbacks.ts';
export type { AttemptGrant } from './token.ts';
