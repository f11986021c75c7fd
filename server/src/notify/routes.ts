import { operations } from '@fieldwatch/contract';
import type { Http, Serve } from '../http/index.ts';
import type { Notify } from './notify.ts';

export function notifyRoutes(serve: Serve, notify: Notify): void {
  const { alarmGroups, webhooks, phoneChannels, pushSubscriptions, deliveries } = notify;
  serve(operations.listAlarmGroups, alarmGroups.list);
  serve(operations.retrieveAlarmGroup, alarmGroups.retrieve);
  serve(operations.createAlarmGroup, alarmGroups.create);
  serve(operations.updateAlarmGroup, alarmGroups.update);
  serve(operations.deleteAlarmGroup, alarmGroups.delete);
  serve(operations.showUnsubscribe, notify.unsubscribe.show);
  serve(operations.unsubscribe, notify.unsubscribe.unsubscribe);
  serve(operations.retrieveWebPushKey, pushSubscriptions.retrieveKey);
  serve(operations.listWebPushSubscriptions, pushSubscriptions.list);
  serve(operations.createWebPushSubscription, pushSubscriptions.create);
  serve(operations.deleteWebPushSubscription, pushSubscriptions.delete);
  serve(operations.listPhoneChannels, phoneChannels.list);
  serve(operations.retrievePhoneChannel, phoneChannels.retrieve);
  serve(operations.createPhoneChannel, phoneChannels.create);
  serve(operations.updatePhoneChannel, phoneChannels.update);
  serve(operations.deletePhoneChannel, phoneChannels.delete);
  serve(operations.testPhoneChannel, phoneChannels.test);
  serve(operations.listWebhooks, webhooks.list);
  serve(operations.retrieveWebhook, webhooks.retrieve);
  serve(operations.createWebhook, webhooks.create);
  serve(operations.updateWebhook, webhooks.update);
  serve(operations.deleteWebhook, webhooks.delete);
  serve(operations.rotateWebhookSecret, webhooks.rotateSecret);
  serve(operations.testWebhook, notify.testWebhook);
  serve(operations.listWebhookDeliveries, deliveries.listOfWebhook);
  serve(operations.redeliverWebhookDelivery, deliveries.redeliver);
  serve(operations.listDeliveries, deliveries.list);
}

/** Where the services of phone channels report what became of messages. */
export function notifyCallbacks(
  { serveCallback }: Pick<Http, 'serveCallback'>,
  { receipts }: Notify,
): void {
  serveCallback({ id: 'takeReceipt', path: '/p/{token}/receipts', answer: receipts.take });
}
