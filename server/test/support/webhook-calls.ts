import { operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';

export interface NewWebhook {
  readonly id: string;
  readonly secret: string;
}

/** What tests of deliveries do again and again, in the organization of one server. */
export interface WebhookCalls {
  newWebhook(url: string): Promise<NewWebhook>;
  newGroup(subscriptions: readonly object[]): Promise<string>;
  deliveries(webhookId: string, query?: string): Promise<Answered['body']>;
  latest(webhookId: string): Promise<Answered['body']>;
  /** Waits until the latest delivery is as wanted. */
  seen(webhookId: string, wanted: object): Promise<void>;
  redeliver(webhookId: string, deliveryId: string): Promise<Answered>;
}

export function webhookCalls(server: () => TestOrganization): WebhookCalls {
  const call: TestOrganization['call'] = (operation, given) => server().call(operation, given);
  const deliveries = async (webhookId: string, query = '') =>
    (await call(operations.listWebhookDeliveries, { params: { webhookId }, query })).body;
  const latest = async (webhookId: string) => (await deliveries(webhookId, 'take=1')).items[0];
  return {
    deliveries,
    latest,
    async newWebhook(url) {
      return (await call(operations.createWebhook, { body: { name: 'Pager', url } })).body;
    },
    async newGroup(subscriptions) {
      const body = { name: 'Group', subscriptions };
      return (await call(operations.createAlarmGroup, { body })).body.id;
    },
    async seen(webhookId, wanted) {
      await expect.poll(() => latest(webhookId), { timeout: 10_000 }).toMatchObject(wanted);
    },
    redeliver: (webhookId, deliveryId) =>
      call(operations.redeliverWebhookDelivery, { params: { webhookId, deliveryId } }),
  };
}
