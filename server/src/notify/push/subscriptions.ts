import type { Operations, WebPushSubscription } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, invalid, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { isPublicKey } from './encryption.ts';
import type { PushKeys } from './keys.ts';
import * as store from './store.ts';

interface PushSubscriptionsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keys: PushKeys;
}

/** The browsers in which users receive notifications; each user has their own. */
export interface PushSubscriptions {
  readonly retrieveKey: Handler<Operations['retrieveWebPushKey']>;
  readonly list: Handler<Operations['listWebPushSubscriptions']>;
  readonly create: Handler<Operations['createWebPushSubscription']>;
  readonly delete: Handler<Operations['deleteWebPushSubscription']>;
}

const MAX_SUBSCRIPTIONS_PER_USER = 10;

export function createPushSubscriptions(deps: PushSubscriptionsDeps): PushSubscriptions {
  const { storage, keys } = deps;
  return {
    async retrieveKey() {
      return { body: { publicKey: (await keys()).publicKey.toString('base64url') } };
    },
    async list({ params: { organizationId }, query }, { caller }) {
      const found = await store.listSubscriptions(storage, organizationId, caller.id, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    create: create(deps),
    async delete({ params: { organizationId, subscriptionId } }, { tx, caller }) {
      const row = await store.deleteSubscription(tx, organizationId, caller.id, subscriptionId);
      if (!row) throw notFound('web push subscription');
      return { body: undefined, changes: [changed(organizationId, row, null)] };
    },
  };
}

function create({ newId }: PushSubscriptionsDeps): PushSubscriptions['create'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const { name, endpoint, severities } = body;
    const publicKey = Buffer.from(body.keys.p256dh, 'base64url');
    if (!isPublicKey(publicKey)) {
      throw invalid({ path: 'keys.p256dh', message: 'is not a point of the curve P-256' });
    }
    await store.lockMember(tx, organizationId, caller.id);
    const before = await store.findByEndpoint(tx, organizationId, endpoint);
    if (before?.userId !== caller.id) {
      const count = await store.countSubscriptions(tx, organizationId, caller.id);
      if (count >= MAX_SUBSCRIPTIONS_PER_USER) {
        const max = MAX_SUBSCRIPTIONS_PER_USER;
        throw new Failure('CONFLICT', `A user has at most ${max} browsers: remove one first.`);
      }
    }
    const authSecret = Buffer.from(body.keys.auth, 'base64url');
    const written = { id: newId(), userId: caller.id, name, endpoint, severities };
    const row = await store.saveSubscription(
      tx,
      organizationId,
      { ...written, publicKey, authSecret },
      now,
    );
    return {
      body: recordOf(row),
      // It is replaced as a whole, so its content distinguishes one from another.
      revision: 1,
      location: `/primary/v1/${organizationId}/web-push-subscriptions/${row.id}`,
      changes: [changed(organizationId, before, row)],
    };
  };
}

function recordOf(row: store.SubscriptionRow): WebPushSubscription {
  const { id, name, endpoint, severities, createdAt } = row;
  return {
    id,
    name,
    endpoint,
    severities: [...severities],
    createdDateTime: isoDateTime(createdAt),
  };
}

/** The audit log has no endpoint: who knows it could try to send messages. */
function changed(
  organizationId: string,
  before: store.SubscriptionRow | null,
  after: store.SubscriptionRow | null,
): Change {
  const fieldsOf = (row: store.SubscriptionRow | null) =>
    row
      ? { id: row.id, userId: row.userId, name: row.name, severities: row.severities }
      : undefined;
  return changeOf(organizationId, 'WebPushSubscription', {
    id: (after ?? before)?.id ?? '',
    before: fieldsOf(before),
    after: fieldsOf(after),
  });
}
