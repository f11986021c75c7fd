export { dispatchNext, NOTIFICATION_BATCH_SIZE } from './fan-out.ts';
export type { DigestMessage, EventMessage, Message } from './message.ts';
export type { EventContext } from './notification.ts';
