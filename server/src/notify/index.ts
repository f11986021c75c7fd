export {
  type Destination,
  describeEvents,
  type FollowerContact,
  listSubscriptions,
  type Notification,
  type PageHooks,
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
export { listActiveChannels } from './phone/index.ts';
export { notifyRoutes } from './routes.ts';
export { deliverText } from './texts/index.ts';
export { reencryptSecrets, urlErrors } from './webhooks/index.ts';
