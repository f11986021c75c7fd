import type { HomeAssistantConnection, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import {
  Failure,
  invalid,
  isoDateTime,
  type Keyring,
  type NewId,
  notFound,
} from '../../runtime/index.ts';
import { requireReferences, type Storage, type Transaction } from '../../storage/index.ts';
import { encryptPassword } from './password.ts';
import * as store from './store.ts';
import { urlErrors } from './url.ts';

export interface ConnectionsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

export interface Connections {
  readonly list: Handler<Operations['listHomeAssistantConnections']>;
  readonly retrieve: Handler<Operations['retrieveHomeAssistantConnection']>;
  readonly create: Handler<Operations['createHomeAssistantConnection']>;
  readonly update: Handler<Operations['updateHomeAssistantConnection']>;
  readonly delete: Handler<Operations['deleteHomeAssistantConnection']>;
}

const MAX_CONNECTIONS_PER_ORGANIZATION = 5;

export function createConnections(deps: ConnectionsDeps): Connections {
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listConnections(deps.storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    async retrieve({ params: { organizationId, connectionId } }) {
      const row = await store.findConnection(deps.storage, organizationId, connectionId);
      if (!row) throw notFound('Home Assistant connection');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    async delete({ params: { organizationId, connectionId } }, { tx, precondition }) {
      const row = await lock(tx, organizationId, connectionId);
      precondition.check(row.revision);
      await store.deleteConnection(tx, organizationId, connectionId);
      return { body: undefined, changes: changed(organizationId, row) };
    },
  };
}

function create({ newId, keyring }: ConnectionsDeps): Connections['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    requireBroker(body.url);
    await requireLocations(tx, organizationId, body.locationIds);
    if ((await store.countConnections(tx, organizationId)) >= MAX_CONNECTIONS_PER_ORGANIZATION) {
      const max = MAX_CONNECTIONS_PER_ORGANIZATION;
      throw new Failure('CONFLICT', `An organization has at most ${max} such connections.`);
    }
    const { username = null, password = null, ...given } = body;
    const id = newId();
    const encryptedPassword = encryptPassword(keyring, { organizationId, id }, password);
    const fields = { ...given, username, encryptedPassword };
    const row = await store.insertConnection(tx, organizationId, { ...fields, id, now });
    return {
      body: recordOf(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/home-assistant-connections/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ keyring }: ConnectionsDeps): Connections['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, connectionId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    requireBroker(body.url);
    await requireLocations(tx, organizationId, body.locationIds ?? []);
    const { password, ...given } = body;
    if (password === undefined && row.encryptedPassword && isElsewhere(row, given.url)) {
      throw invalid({ path: 'password', message: 'is required with another url' });
    }
    const encryptedPassword =
      password === undefined
        ? row.encryptedPassword
        : encryptPassword(keyring, { organizationId, id }, password);
    const fields = { ...row, ...given, encryptedPassword };
    const saved = await store.updateConnection(tx, organizationId, id, fields, now);
    return {
      body: recordOf(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

/** A stored password is sent to the broker that it was given for, and to no other. */
function isElsewhere(row: store.ConnectionRow, url: string | undefined): boolean {
  return url !== undefined && url !== row.url;
}

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.ConnectionRow> {
  const row = await store.lockConnection(tx, organizationId, id);
  if (!row) throw notFound('Home Assistant connection');
  return row;
}

function requireBroker(url: string | undefined): void {
  const errors = urlErrors(url);
  if (errors.length > 0) throw invalid(...errors);
}

function requireLocations(
  tx: Transaction,
  organizationId: string,
  locationIds: readonly string[],
): Promise<void> {
  const references = locationIds.map((id, index) => ({
    path: `locationIds[${index}]`,
    table: 'locations' as const,
    id,
  }));
  return requireReferences(tx, organizationId, references);
}

function recordOf(row: store.ConnectionRow): HomeAssistantConnection {
  const { id, name, url, username, discoveryPrefix, locationIds, isActive } = row;
  return {
    ...{ id, name, url, username, hasPassword: row.encryptedPassword !== null },
    ...{ discoveryPrefix, locationIds, isActive },
    status: {
      state: isActive ? row.state : 'INACTIVE',
      sinceDateTime: isoDateTime(row.stateAt),
      message: isActive ? row.stateMessage : null,
      deviceCount: isActive ? row.deviceCount : 0,
    },
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** The audit log masks the password, and says whether it changed. The state is no edit. */
function changed(
  organizationId: string,
  before?: store.ConnectionRow,
  after?: store.ConnectionRow,
): Change[] {
  const fieldsOf = (row: store.ConnectionRow | undefined) => {
    if (!row) return undefined;
    const { status: _, hasPassword: __, ...fields } = recordOf(row);
    return { ...fields, password: row.encryptedPassword?.toString('base64') ?? null };
  };
  const change = {
    id: (after ?? before)?.id ?? '',
    before: fieldsOf(before),
    after: fieldsOf(after),
  };
  return [changeOf(organizationId, 'HomeAssistantConnection', change)];
}
