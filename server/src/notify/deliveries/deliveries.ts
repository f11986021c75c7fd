import type { Delivery, Operations } from '@fieldwatch/contract';
import { changeOf, type Handler } from '../../http/index.ts';
import { Failure, isoDateTime, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { findWebhook } from '../webhooks/index.ts';
import * as store from './store.ts';

export interface DeliveriesDeps {
  readonly storage: Storage;
  /** Called when something became due. */
  readonly onDue: () => void;
}

/** The log of what was delivered, and asking for it again. */
export interface Deliveries {
  readonly list: Handler<Operations['listDeliveries']>;
  readonly listOfWebhook: Handler<Operations['listWebhookDeliveries']>;
  readonly redeliver: Handler<Operations['redeliverWebhookDelivery']>;
}

export function createDeliveries({ storage, onDue }: DeliveriesDeps): Deliveries {
  return {
    async list({ params: { organizationId }, query }) {
      const { channels = [], states = [] } = query;
      const filter = { webhookId: null, channels, states };
      const { count, rows } = await store.listDeliveries(storage, organizationId, filter, query);
      return { body: { count, items: rows.map(recordOf) } };
    },
    async listOfWebhook({ params: { organizationId, webhookId }, query }) {
      if (!(await findWebhook(storage, organizationId, webhookId))) throw notFound('webhook');
      const filter = { webhookId, channels: [], states: query.states ?? [] };
      const { count, rows } = await store.listDeliveries(storage, organizationId, filter, query);
      return { body: { count, items: rows.map(recordOf) } };
    },
    async redeliver({ params }, { tx, now }) {
      const { organizationId, webhookId, deliveryId } = params;
      const webhook = await findWebhook(tx, organizationId, webhookId);
      if (!webhook) throw notFound('webhook');
      const before = await store.lockDelivery(tx, organizationId, params);
      if (!before) throw notFound('delivery');
      if (!webhook.isActive) throw new Failure('CONFLICT', 'The webhook is switched off.');
      const after = await store.redeliver(tx, organizationId, params, now);
      tx.afterCommit(onDue);
      const change = { id: deliveryId, before: recordOf(before), after: recordOf(after) };
      return { body: recordOf(after), changes: [changeOf(organizationId, 'Delivery', change)] };
    },
  };
}

function recordOf({ nextAt, lastAttemptAt, createdAt, ...row }: store.DeliveryRow): Delivery {
  return {
    id: row.id,
    channel: channelOf(row),
    webhookId: row.webhookId,
    email: row.email,
    ...(row.phone === null ? {} : { phone: row.phone }),
    type: row.type,
    eventId: row.eventId,
    eventCount: row.eventCount,
    state: row.state,
    attempts: row.attempts,
    nextAttemptDateTime: nextAt === null ? null : isoDateTime(nextAt),
    lastAttemptDateTime: lastAttemptAt === null ? null : isoDateTime(lastAttemptAt),
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    lastDurationMs: row.lastDurationMs,
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
    createdDateTime: isoDateTime(createdAt),
  };
}

function channelOf({
  webhookId,
  pushId,
  phoneKind,
}: Pick<store.DeliveryRow, 'webhookId' | 'pushId' | 'phoneKind'>): Delivery['channel'] {
  if (webhookId !== null) return 'WEBHOOK';
  if (pushId !== null) return 'WEB_PUSH';
  return phoneKind ?? 'EMAIL';
}
