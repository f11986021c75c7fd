export { DELIVERY_RETENTION_MS, phoneTextOf } from './delivery/index.ts';
export {
  type Destination,
  describeEvents,
  destinationKey,
  type FollowerContact,
  listSubscriptions,
  type Notification,
  type PageHooks,
  recipientsOf,
  type Subscription,
  toAddress,
  toPhone,
  toPush,
  toWebhook,
} from './fan-out/index.ts';
export { createNotify, type Notify } from './notify.ts';
export {
  cancelUnsent,
  deliverPage,
  deliverToPaged,
  type PageContent,
  type PageRecipient,
  testEvent,
} from './page-deliveries/index.ts';
export {
  announcement,
  attemptUrls,
  type CallbackDeps,
  farewell,
  listActiveChannels,
  NO_ANSWER,
  refusal,
  reportedOfAttempt,
  reportedToChannel,
} from './phone/index.ts';
export { findCall } from './receipts/index.ts';
export { findReplyCode, freeReplyCodes } from './reply-codes/index.ts';
export { notifyCallbacks, notifyRoutes } from './routes.ts';
export { deliverText } from './texts/index.ts';
export { reencryptSecrets, urlErrors } from './webhooks/index.ts';
