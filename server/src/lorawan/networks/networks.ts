import type { LorawanNetwork, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, isoDateTime, type Keyring, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { requireComplete, settingsAfter } from './settings.ts';
import * as store from './store.ts';

export interface NetworksDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Called within the transaction of each edit. */
  readonly onSaved: (
    tx: Transaction,
    organizationId: string,
    saved: { readonly before: store.NetworkRow; readonly after: store.NetworkRow },
  ) => Promise<void>;
}

export interface Networks {
  readonly list: Handler<Operations['listLorawanNetworks']>;
  readonly retrieve: Handler<Operations['retrieveLorawanNetwork']>;
  readonly create: Handler<Operations['createLorawanNetwork']>;
  readonly update: Handler<Operations['updateLorawanNetwork']>;
  readonly delete: Handler<Operations['deleteLorawanNetwork']>;
  readonly listUnknown: Handler<Operations['listUnknownLorawanDevices']>;
}

const MAX_NETWORKS_PER_ORGANIZATION = 10;

export function createNetworks(deps: NetworksDeps): Networks {
  const { storage } = deps;
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listNetworks(storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    async retrieve({ params: { organizationId, networkId } }) {
      const row = await store.findNetwork(storage, organizationId, networkId);
      if (!row) throw notFound('LoRaWAN network');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    async delete({ params: { organizationId, networkId } }, { tx, precondition }) {
      const row = await lock(tx, organizationId, networkId);
      precondition.check(row.revision);
      await store.deleteNetwork(tx, organizationId, networkId);
      return { body: undefined, changes: changed(organizationId, row) };
    },
    async listUnknown({ params: { organizationId, networkId }, query }) {
      if (!(await store.findNetwork(storage, organizationId, networkId))) {
        throw notFound('LoRaWAN network');
      }
      const found = await store.listUnknownDevices(storage, organizationId, networkId, query);
      const items = found.rows.map(({ lastAt, lastPayload, ...row }) => ({
        ...row,
        lastDateTime: isoDateTime(lastAt),
        lastPayloadHex: lastPayload?.toString('hex').toUpperCase() ?? null,
      }));
      return { body: { count: found.count, items } };
    },
  };
}

function create(deps: NetworksDeps): Networks['create'] {
  const { newId, keyring } = deps;
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const { mqtt, api, defaults, ...given } = body;
    const id = newId();
    const settings = settingsAfter(keyring, { organizationId, id }, { mqtt, api, defaults });
    const fields = { ...given, ...settings };
    requireComplete(given.kind, fields);
    if ((await store.countNetworks(tx, organizationId)) >= MAX_NETWORKS_PER_ORGANIZATION) {
      const max = MAX_NETWORKS_PER_ORGANIZATION;
      throw new Failure('CONFLICT', `An organization has at most ${max} LoRaWAN networks.`);
    }
    const row = await store.insertNetwork(tx, organizationId, { ...fields, id, now });
    return {
      body: recordOf(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/lorawan-networks/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ keyring, onSaved }: NetworksDeps): Networks['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, networkId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    const { mqtt, api, defaults, ...given } = body;
    const network = { organizationId, id };
    const settings = settingsAfter(keyring, network, { mqtt, api, defaults }, row);
    const fields = { ...row, ...given, ...settings };
    requireComplete(row.kind, fields);
    const saved = await store.updateNetwork(tx, organizationId, id, fields, now);
    await onSaved(tx, organizationId, { before: row, after: saved });
    return {
      body: recordOf(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

async function lock(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<store.NetworkRow> {
  const row = await store.lockNetwork(tx, organizationId, id);
  if (!row) throw notFound('LoRaWAN network');
  return row;
}

const momentOf = (at: number | null) => (at === null ? null : isoDateTime(at));

function recordOf(row: store.NetworkRow): LorawanNetwork {
  const { id, name, kind, isActive, ingest, url, username, topicTemplate, caCertificate } = row;
  const { applicationId, tenantId, gatewayPrefixes, eventsPerMinute, provisioning, apiUrl } = row;
  const { deviceProfileId, frequencyPlanId, macVersion, phyVersion } = row;
  const hasPassword = row.encryptedPassword !== null;
  const hasToken = row.encryptedApiToken !== null;
  return {
    ...{ id, name, kind, isActive, ingest },
    mqtt: url === null ? null : { url, username, hasPassword, topicTemplate, caCertificate },
    ...{ applicationId, tenantId, gatewayPrefixes, provisioning },
    api: apiUrl === null ? null : { url: apiUrl, hasToken },
    defaults: { deviceProfileId, frequencyPlanId, macVersion, phyVersion },
    state: {
      isConnected: isActive && row.isConnected,
      lastConnectedDateTime: momentOf(row.lastConnectedAt),
      lastEventDateTime: momentOf(row.lastEventAt),
      lastError: isActive ? (row.lastError ?? row.gatewayError) : null,
      eventsPerMinute: isActive ? eventsPerMinute : 0,
    },
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** The audit log masks both secrets, and says whether they changed. The state is no edit. */
function changed(
  organizationId: string,
  before?: store.NetworkRow,
  after?: store.NetworkRow,
): Change[] {
  const fieldsOf = (row: store.NetworkRow | undefined) => {
    if (!row) return undefined;
    const { state: _, ...fields } = recordOf(row);
    const [password, token] = [row.encryptedPassword, row.encryptedApiToken].map(
      (secret) => secret?.toString('base64') ?? null,
    );
    return { ...fields, password, token };
  };
  const change = {
    id: (after ?? before)?.id ?? '',
    before: fieldsOf(before),
    after: fieldsOf(after),
  };
  return [changeOf(organizationId, 'LorawanNetwork', change)];
}
