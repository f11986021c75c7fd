export {
  attemptUrls,
  type CallbackDeps,
  receiptUrl,
  refusal,
  replyUrl,
  reportedOfAttempt,
  reportedToChannel,
} from './callbacks.ts';
export { attemptNamed, receiptIdOf } from './receipt-id.ts';
export type { AttemptGrant } from './token.ts';
