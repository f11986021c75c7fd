import type { Operations, Webhook } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { invalid, isoDateTime, type Keyring, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { issueSecret, PREVIOUS_SECRET_MS } from './secret.ts';
import * as store from './store.ts';
import { urlErrors } from './url.ts';

export interface WebhooksDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

export interface Webhooks {
  readonly list: Handler<Operations['listWebhooks']>;
  readonly retrieve: Handler<Operations['retrieveWebhook']>;
  readonly create: Handler<Operations['createWebhook']>;
  readonly update: Handler<Operations['updateWebhook']>;
  readonly delete: Handler<Operations['deleteWebhook']>;
  readonly rotateSecret: Handler<Operations['rotateWebhookSecret']>;
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listWebhooks(deps.storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    async retrieve({ params: { organizationId, webhookId } }) {
      const row = await store.findWebhook(deps.storage, organizationId, webhookId);
      if (!row) throw notFound('webhook');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update,
    delete: remove,
    rotateSecret: rotateSecret(deps),
  };
}

function create({ newId, keyring }: WebhooksDeps): Webhooks['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    requireCallable(body.url);
    const id = newId();
    const { secret, encryptedSecret } = issueSecret(keyring, { organizationId, id });
    const row = await store.insertWebhook(tx, organizationId, {
      ...body,
      id,
      encryptedSecret,
      now,
    });
    return {
      body: { ...recordOf(row), secret },
      revision: row.revision,
      location: `/primary/v1/${organizationId}/webhooks/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

const update: Webhooks['update'] = async ({ params, body }, { tx, now, precondition }) => {
  const { organizationId, webhookId } = params;
  const row = await lock(tx, organizationId, webhookId);
  precondition.check(row.revision);
  requireCallable(body.url);
  const fields = { name: row.name, url: row.url, isActive: row.isActive, ...body };
  const saved = await store.updateWebhook(tx, organizationId, webhookId, fields, now);
  if (saved.url !== row.url) await store.retryNow(tx, organizationId, webhookId, now);
  return {
    body: recordOf(saved),
    revision: saved.revision,
    changes: changed(organizationId, row, saved),
  };
};

const remove: Webhooks['delete'] = async ({ params }, { tx, precondition }) => {
  const { organizationId, webhookId } = params;
  const row = await lock(tx, organizationId, webhookId);
  precondition.check(row.revision);
  await store.deleteWebhook(tx, organizationId, webhookId);
  return { body: undefined, changes: changed(organizationId, row) };
};

function rotateSecret({ keyring }: WebhooksDeps): Webhooks['rotateSecret'] {
  return async ({ params: { organizationId, webhookId } }, { tx, now }) => {
    const row = await lock(tx, organizationId, webhookId);
    const { secret, encryptedSecret } = issueSecret(keyring, { organizationId, id: row.id });
    const previousUntil = now + PREVIOUS_SECRET_MS;
    await store.rotateSecret(tx, organizationId, webhookId, { encryptedSecret, previousUntil });
    // The audit log masks both, and tells that they differ.
    const change = { id: row.id, before: { secret: 'old' }, after: { secret: 'new' } };
    return { body: { secret }, changes: [changeOf(organizationId, 'Webhook', change)] };
  };
}

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.WebhookRow> {
  const row = await store.lockWebhook(tx, organizationId, id);
  if (!row) throw notFound('webhook');
  return row;
}

function requireCallable(url: string | undefined): void {
  const errors = urlErrors(url);
  if (errors.length > 0) throw invalid(...errors);
}

function recordOf(row: store.WebhookRow): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    isActive: row.isActive,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function changed(
  organizationId: string,
  before?: store.WebhookRow,
  after?: store.WebhookRow,
): Change[] {
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: before && recordOf(before), after: after && recordOf(after) };
  return [changeOf(organizationId, 'Webhook', change)];
}
