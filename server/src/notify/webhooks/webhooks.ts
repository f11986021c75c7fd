import { type Operations, WEBHOOK_FORMAT_FIELDS, type Webhook } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { invalid, isoDateTime, type Keyring, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { encryptCredential } from './credential.ts';
import { formatErrors } from './format.ts';
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
    update: update(deps),
    delete: remove,
    rotateSecret: rotateSecret(deps),
  };
}

function create({ newId, keyring }: WebhooksDeps): Webhooks['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const { credential = null, ...given } = body;
    const { format = 'STANDARD', destination = null, template = null } = given;
    const id = newId();
    const encryptedCredential = encryptCredential(keyring, { organizationId, id }, credential);
    const fields = { ...given, format, destination, encryptedCredential, template };
    requireUsable(fields);
    const { secret, encryptedSecret } = issueSecret(keyring, { organizationId, id });
    const webhook = { ...fields, id, encryptedSecret, now };
    const row = await store.insertWebhook(tx, organizationId, webhook);
    return {
      body: { ...recordOf(row), secret },
      revision: row.revision,
      location: `/primary/v1/${organizationId}/webhooks/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ keyring }: WebhooksDeps): Webhooks['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, webhookId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    const { credential, ...given } = body;
    const kept = keptFields(row, given.format ?? row.format);
    if (credential === undefined && kept.encryptedCredential && isElsewhere(row, given.url)) {
      throw invalid({ path: 'credential', message: 'is required with another url' });
    }
    const encryptedCredential =
      credential === undefined
        ? kept.encryptedCredential
        : encryptCredential(keyring, { organizationId, id }, credential);
    const fields = { ...kept, ...given, encryptedCredential };
    requireUsable(fields);
    const saved = await store.updateWebhook(tx, organizationId, id, fields, now);
    if (isElsewhere(row, saved.url) || isReformatted(row, saved)) {
      await store.retryNow(tx, organizationId, id, now);
    }
    return {
      body: recordOf(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

/** The stored fields, without those that the format does not use. */
function keptFields(row: store.WebhookRow, format: store.WebhookRow['format']) {
  const uses = WEBHOOK_FORMAT_FIELDS[format];
  return {
    ...row,
    destination: uses.destination === 'UNUSED' ? null : row.destination,
    encryptedCredential: uses.credential === 'UNUSED' ? null : row.encryptedCredential,
    template: uses.template === 'UNUSED' ? null : row.template,
  };
}

/** A stored credential is sent to the URL that it was given for, and to no other. */
function isElsewhere(row: store.WebhookRow, url: string | undefined): boolean {
  return url !== undefined && url !== row.url;
}

/** What was refused before may be accepted in this form. */
function isReformatted(row: store.WebhookRow, saved: store.WebhookRow): boolean {
  const formOf = ({ format, destination, encryptedCredential, template }: store.WebhookRow) =>
    JSON.stringify([format, destination, encryptedCredential?.toString('hex'), template]);
  return formOf(row) !== formOf(saved);
}

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
    // The audit log masks both, and shows that they differ.
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

function requireUsable(fields: store.WebhookFields): void {
  const hasCredential = fields.encryptedCredential !== null;
  const errors = [...urlErrors(fields.url), ...formatErrors({ ...fields, hasCredential })];
  if (errors.length > 0) throw invalid(...errors);
}

/** Without the fields that only some formats have, where they are not set. */
function recordOf(row: store.WebhookRow): Webhook {
  const { format, destination, template } = row;
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    isActive: row.isActive,
    ...(format === 'STANDARD' ? {} : { format }),
    ...(destination === null ? {} : { destination }),
    ...(row.encryptedCredential === null ? {} : { hasCredential: true }),
    ...(template === null ? {} : { template }),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** The audit log masks the credential, and says whether it changed. */
function changed(
  organizationId: string,
  before?: store.WebhookRow,
  after?: store.WebhookRow,
): Change[] {
  const fieldsOf = (row: store.WebhookRow | undefined) => {
    if (!row) return undefined;
    const { hasCredential: _, ...fields } = recordOf(row);
    return { ...fields, credential: row.encryptedCredential?.toString('base64') ?? null };
  };
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: fieldsOf(before), after: fieldsOf(after) };
  return [changeOf(organizationId, 'Webhook', change)];
}
