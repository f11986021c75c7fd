import {
  type Body,
  BROKER_URL_RULE,
  type LorawanNetwork,
  type Operations,
} from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import {
  brokerAddressOf,
  Failure,
  invalid,
  isoDateTime,
  type Keyring,
  type NewId,
  notFound,
} from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { encryptPassword } from './password.ts';
import * as store from './store.ts';

export interface NetworksDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

export interface Networks {
  readonly list: Handler<Operations['listLorawanNetworks']>;
  readonly retrieve: Handler<Operations['retrieveLorawanNetwork']>;
  readonly create: Handler<Operations['createLorawanNetwork']>;
  readonly update: Handler<Operations['updateLorawanNetwork']>;
  readonly delete: Handler<Operations['deleteLorawanNetwork']>;
  readonly listUnknown: Handler<Operations['listUnknownLorawanDevices']>;
}

type MqttGiven = Body<Operations['createLorawanNetwork']>['mqtt'];

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

function create({ newId, keyring }: NetworksDeps): Networks['create'] {
  return async ({ params: { organizationId }, body }, { tx, now }) => {
    const { mqtt = null, ...given } = body;
    requireBroker(given.ingest, mqtt);
    if ((await store.countNetworks(tx, organizationId)) >= MAX_NETWORKS_PER_ORGANIZATION) {
      const max = MAX_NETWORKS_PER_ORGANIZATION;
      throw new Failure('CONFLICT', `An organization has at most ${max} LoRaWAN networks.`);
    }
    const id = newId();
    const password = mqtt?.password ?? null;
    const fields = {
      ...given,
      ...brokerFields(mqtt),
      encryptedPassword: encryptPassword(keyring, { organizationId, id }, password),
    };
    const row = await store.insertNetwork(tx, organizationId, { ...fields, id, now });
    return {
      body: recordOf(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/lorawan-networks/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update({ keyring }: NetworksDeps): Networks['update'] {
  return async ({ params, body }, { tx, now, precondition }) => {
    const { organizationId, networkId: id } = params;
    const row = await lock(tx, organizationId, id);
    precondition.check(row.revision);
    const { mqtt, ...given } = body;
    const ingest = given.ingest ?? row.ingest;
    requireBroker(ingest, mqtt === undefined && row.url !== null ? { url: row.url } : mqtt);
    const broker = mqtt === undefined ? {} : brokerFields(mqtt);
    const encryptedPassword = passwordAfter(row, mqtt, (password) =>
      encryptPassword(keyring, { organizationId, id }, password),
    );
    const fields = { ...row, ...given, ...broker, encryptedPassword };
    const saved = await store.updateNetwork(tx, organizationId, id, fields, now);
    return {
      body: recordOf(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

/** A stored password is sent to the broker that it was given for, and to no other. */
function passwordAfter(
  row: store.NetworkRow,
  mqtt: MqttGiven,
  encrypt: (password: string | null) => Buffer | null,
): Buffer | null {
  if (mqtt === undefined) return row.encryptedPassword;
  if (mqtt === null) return null;
  if (mqtt.password !== undefined) return encrypt(mqtt.password);
  if (row.encryptedPassword && mqtt.url !== row.url) {
    throw invalid({ path: 'mqtt.password', message: 'is required with another url' });
  }
  return row.encryptedPassword;
}

function brokerFields(mqtt: MqttGiven) {
  const { url = null, username = null, topicTemplate = null } = mqtt ?? {};
  return { url, username, topicTemplate };
}

function requireBroker(
  ingest: LorawanNetwork['ingest'],
  mqtt: { readonly url: string } | null | undefined,
): void {
  if (ingest === 'MQTT' && !mqtt) {
    throw invalid({ path: 'mqtt', message: 'is required with the ingest MQTT' });
  }
  if (mqtt && !brokerAddressOf(mqtt.url)) {
    throw invalid({ path: 'mqtt.url', message: BROKER_URL_RULE });
  }
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
  const { id, name, kind, isActive, ingest, url, username, topicTemplate } = row;
  const { applicationId, tenantId, gatewayPrefixes, eventsPerMinute } = row;
  const hasPassword = row.encryptedPassword !== null;
  return {
    ...{ id, name, kind, isActive, ingest },
    mqtt: url === null ? null : { url, username, hasPassword, topicTemplate },
    ...{ applicationId, tenantId, gatewayPrefixes },
    state: {
      isConnected: isActive && row.isConnected,
      lastConnectedDateTime: momentOf(row.lastConnectedAt),
      lastEventDateTime: momentOf(row.lastEventAt),
      lastError: isActive ? row.lastError : null,
      eventsPerMinute: isActive ? eventsPerMinute : 0,
    },
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** The audit log masks the password, and says whether it changed. The state is no edit. */
function changed(
  organizationId: string,
  before?: store.NetworkRow,
  after?: store.NetworkRow,
): Change[] {
  const fieldsOf = (row: store.NetworkRow | undefined) => {
    if (!row) return undefined;
    const { state: _, ...fields } = recordOf(row);
    return { ...fields, password: row.encryptedPassword?.toString('base64') ?? null };
  };
  const change = {
    id: (after ?? before)?.id ?? '',
    before: fieldsOf(before),
    after: fieldsOf(after),
  };
  return [changeOf(organizationId, 'LorawanNetwork', change)];
}
