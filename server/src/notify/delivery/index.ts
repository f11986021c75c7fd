export type { UnsubscribeUrl } from './letter.ts';
export type { MailSettings } from './mail-channel.ts';
export { phoneTextOf } from './phone-text.ts';
export { postToWebhook, type WebhookDoor } from './webhook-channel.ts';
export { createDeliveryWorker, DELIVERY_RETENTION_MS, type DeliveryWorker } from './worker.ts';
