export { encryptPush } from './encryption.ts';
export { createPushKeys, type PushKeys } from './keys.ts';
export { deleteGone, findDoor, type PushDoor } from './store.ts';
export { createPushSubscriptions, type PushSubscriptions } from './subscriptions.ts';
export { vapidAuthorization } from './vapid.ts';
