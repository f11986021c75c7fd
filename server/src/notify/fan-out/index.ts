export { describeEvents } from './context/index.ts';
export { dispatchNext, NOTIFICATION_BATCH_SIZE, type PageHooks } from './fan-out.ts';
export type {
  DigestMessage,
  EventMessage,
  Message,
  PageNote,
  Text,
  TextMessage,
} from './message.ts';
export type { DescribedEvent, EventContext, Notification } from './notification.ts';
export {
  type Destination,
  destinationKey,
  type FollowerContact,
  recipientsOf,
  type Subscription,
  toAddress,
  toPhone,
  toPush,
  toWebhook,
} from './recipients.ts';
export { insertDeliveries, listSubscriptions, lockTargets, type NewDelivery } from './store.ts';
