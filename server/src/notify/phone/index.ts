export { type Called, callService } from './call.ts';
export {
  type AttemptGrant,
  attemptNamed,
  attemptUrls,
  type CallbackDeps,
  receiptIdOf,
  refusal,
  reportedOfAttempt,
  reportedToChannel,
} from './callbacks/index.ts';
export { createPhoneChannels, type PhoneChannels } from './channels.ts';
export { listActiveChannels, type PhoneChannelRow, receivesReplies } from './store.ts';
export { announcement, farewell, NO_ANSWER } from './twiml.ts';
