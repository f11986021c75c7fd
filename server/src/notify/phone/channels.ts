import type { Operations, PhoneChannel } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler, type PreparedHandler } from '../../http/index.ts';
import {
  Failure,
  invalid,
  isoDateTime,
  type Keyring,
  type NewId,
  notFound,
  type Outbound,
} from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { callService } from './call.ts';
import { type CallbackDeps, receiptUrl, replyUrl } from './callbacks/index.ts';
import { encryptCredential } from './credential.ts';
import { channelErrors } from './errors.ts';
import * as store from './store.ts';

export interface PhoneChannelsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly publicUrl: string | null;
}

export interface PhoneChannels {
  readonly list: Handler<Operations['listPhoneChannels']>;
  readonly retrieve: Handler<Operations['retrievePhoneChannel']>;
  readonly create: Handler<Operations['createPhoneChannel']>;
  readonly update: Handler<Operations['updatePhoneChannel']>;
  readonly delete: Handler<Operations['deletePhoneChannel']>;
  readonly test: PreparedHandler<Operations['testPhoneChannel']>;
}

const MAX_CHANNELS_PER_ORGANIZATION = 10;
const TEST_TEXT = 'Fieldwatch: this is a test message.';

export function createPhoneChannels(deps: PhoneChannelsDeps): PhoneChannels {
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listChannels(deps.storage, organizationId, { search }, query);
      const items = found.rows.map((row) => recordOf(deps, row));
      return { body: { count: found.count, items } };
    },
    async retrieve({ params: { organizationId, channelId } }) {
      const row = await store.findChannel(deps.storage, organizationId, channelId);
      if (!row) throw notFound('phone channel');
      return { body: recordOf(deps, row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    async delete({ params: { organizationId, channelId } }, { tx, precondition }) {
      const row = await lock(tx, organizationId, channelId);
      precondition.check(row.revision);
      await store.deleteChannel(tx, organizationId, channelId);
      return { body: undefined, changes: changed(organizationId, row) };
    },
    test: test(deps),
  };
}

function create(deps: PhoneChannelsDeps): PhoneChannels['create'] {
  return async ({ params: { organizationId }, body: given }, { tx, now }) => {
    const { newId, keyring } = deps;
    const { credential = null, ...rest } = given;
    const id = newId();
    const encryptedCredential = encryptCredential(keyring, { organizationId, id }, credential);
    const { body = null, from = null, successText = null, replies = null, receipts = null } = rest;
    const optional = { body, from, successText, replies, receipts };
    const fields = { ...rest, ...optional, encryptedCredential };
    requireUsable(fields);
    if ((await store.countChannels(tx, organizationId)) >= MAX_CHANNELS_PER_ORGANIZATION) {
      const max = MAX_CHANNELS_PER_ORGANIZATION;
      throw new Failure('CONFLICT', `An organization has at most ${max} phone channels.`);
    }
    const row = await store.insertChannel(tx, organizationId, { ...fields, id, now });
    return {
      body: recordOf(deps, row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/phone-channels/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update(deps: PhoneChannelsDeps): PhoneChannels['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, channelId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    const { credential, ...given } = body;
    const isElsewhere = given.url !== undefined && given.url !== row.url;
    if (credential === undefined && row.encryptedCredential && isElsewhere) {
      throw invalid({ path: 'credential', message: 'is required with another url' });
    }
    const encryptedCredential =
      credential === undefined
        ? row.encryptedCredential
        : encryptCredential(deps.keyring, { organizationId, id }, credential);
    const fields = { ...row, ...given, encryptedCredential };
    requireUsable(fields);
    const saved = await store.updateChannel(tx, organizationId, id, fields, now);
    return {
      body: recordOf(deps, saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

/** The service is called before the transaction, which records that it was. */
function test(deps: PhoneChannelsDeps): PhoneChannels['test'] {
  return {
    async prepare({ params: { organizationId, channelId }, body: { to } }) {
      const row = await store.findChannel(deps.storage, organizationId, channelId);
      if (!row) throw notFound('phone channel');
      const own = { id: deps.newId(), text: TEST_TEXT, link: deps.publicUrl ?? '' };
      // No delivery: nothing about it is recorded.
      const message = { ...own, to, receiptUrl: '', receiptId: own.id, keysUrl: null };
      const signal = new AbortController().signal;
      const { status, error } = await callService(deps, row, message, signal);
      const change = { id: row.id, before: {}, after: { test: error ?? 'accepted' } };
      const changes = [changeOf(organizationId, 'PhoneChannel', change)];
      return async () => ({ body: { status, error }, changes });
    },
  };
}

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.PhoneChannelRow> {
  const row = await store.lockChannel(tx, organizationId, id);
  if (!row) throw notFound('phone channel');
  return row;
}

function requireUsable(fields: store.PhoneChannelFields): void {
  const errors = channelErrors({ ...fields, hasCredential: fields.encryptedCredential !== null });
  if (errors.length > 0) throw invalid(...errors);
}

function recordOf(deps: CallbackDeps, row: store.PhoneChannelRow): PhoneChannel {
  const name = { organizationId: row.organizationId, channelId: row.id };
  const receipts = row.receipts?.idField === undefined ? null : receiptUrl(deps, name);
  return {
    ...fieldsOf(row),
    replyUrl: row.replies && replyUrl(deps, name),
    ...(receipts === null ? {} : { receiptUrl: receipts }),
  };
}

function fieldsOf(row: store.PhoneChannelRow): Omit<PhoneChannel, 'replyUrl' | 'receiptUrl'> {
  const {
    organizationId: _,
    encryptedCredential,
    createdAt,
    updatedAt,
    revision: __,
    ...rest
  } = row;
  return {
    ...rest,
    headers: rest.headers.map(({ name, value }) => ({ name, value })),
    hasCredential: encryptedCredential !== null,
    createdDateTime: isoDateTime(createdAt),
    updatedDateTime: isoDateTime(updatedAt),
  };
}

/**
 * The audit log masks the credential, and says whether it changed. The address for replies is a secret,
 * which others than those who manage channels must not read.
 */
function changed(
  organizationId: string,
  before?: store.PhoneChannelRow,
  after?: store.PhoneChannelRow,
): Change[] {
  const shownOf = (row: store.PhoneChannelRow | undefined) => {
    if (!row) return undefined;
    const { hasCredential: _, ...fields } = fieldsOf(row);
    return { ...fields, credential: row.encryptedCredential?.toString('base64') ?? null };
  };
  const id = (after ?? before)?.id ?? '';
  const change = { id, before: shownOf(before), after: shownOf(after) };
  return [changeOf(organizationId, 'PhoneChannel', change)];
}
