export type { UnsubscribeUrl } from './letter.ts';
export type { MailSettings } from './mail-channel.ts';
export { createDeliveryWorker, type DeliveryWorker } from './worker.ts';
