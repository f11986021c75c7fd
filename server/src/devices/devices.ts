import { generateSecret, quickHash } from '../access/index.ts';
import { type Change, changeOf, type Fields } from '../http/index.ts';
import { Failure, invalid, notFound } from '../runtime/index.ts';
import { requireNoLoop, requireReferences, type Transaction } from '../storage/index.ts';
import { createAppKeys } from './app-keys.ts';
import { createCursors } from './cursor.ts';
import type { DeviceHandlerDeps, Devices, DevicesDeps } from './deps.ts';
import { type DeviceRow, deviceRecord, OFFLINE, type RevealAppKey } from './device.ts';
import { editedDeviceFields, newDeviceFields } from './edit.ts';
import { filteredSearch } from './filtered/index.ts';
import { list, listByCursor } from './listing.ts';
import * as store from './store.ts';

const TREE = { table: 'devices', parentColumn: 'parent_device_id', path: 'parentDeviceId' };

export function createDevices(deps: DevicesDeps): Devices {
  const handlerDeps = createHandlerDeps(deps);
  return {
    list: list(handlerDeps),
    search: filteredSearch(handlerDeps),
    listByCursor: listByCursor(handlerDeps, createCursors(deps.keyring.derive('device-cursor'))),
    async retrieve({ params: { organizationId, deviceId } }, { caller }) {
      const row = await store.findDevice(deps.storage, organizationId, deviceId);
      if (!row) throw notFound('Device');
      return { body: handlerDeps.recordFor(caller, organizationId)(row), revision: row.revision };
    },
    create: create(handlerDeps),
    update: update(handlerDeps),
    delete: remove(handlerDeps),
    archive: setArchived(handlerDeps, (now) => now),
    restore: setArchived(handlerDeps, () => null),
    rotateCredentials: rotateCredentials(handlerDeps),
    async listOnlineWindows({ params: { organizationId }, query }) {
      const { count, rows } = await store.listOnlineWindows(deps.storage, organizationId, query);
      return { body: { count, items: [...rows] } };
    },
    async retrieveOnlineWindow({ params: { organizationId, deviceId } }) {
      const row = await store.findDevice(deps.storage, organizationId, deviceId);
      if (!row) throw notFound('Device');
      return { body: windowOf(row), revision: row.revision };
    },
    updateOnlineWindow: updateOnlineWindow(handlerDeps),
  };
}

function createHandlerDeps(deps: DevicesDeps): DeviceHandlerDeps {
  const appKeys = createAppKeys(deps.keyring);
  return {
    ...deps,
    appKeys,
    onChanged(organizationId, deviceId) {
      deps.search.invalidate(organizationId, deviceId);
      deps.onChanged(deviceId);
    },
    recordFor(caller, organizationId) {
      const reveal = appKeys.revealedTo(caller, organizationId);
      return (row) => deviceRecord(row, deps.presence.of(row), reveal);
    },
  };
}

function create(deps: DeviceHandlerDeps): Devices['create'] {
  const { newId, appKeys, recordFor, onChanged, onCreated } = deps;
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const id = newId();
    const password = generateSecret();
    const fields = newDeviceFields(body, appKeys.encryptionFor(organizationId, id));
    await requireDeviceReferences(tx, organizationId, fields);
    const device = { ...fields, id, type: body.type, passwordHash: quickHash(password), now };
    const row = orConflict(await store.insertDevice(tx, organizationId, device));
    await store.insertOnlineVariable(tx, organizationId, id, now);
    tx.afterCommit(() => {
      onChanged(organizationId, id);
      return onCreated({ organizationId, deviceId: id });
    });
    return {
      body: {
        ...recordFor(caller, organizationId)(row),
        credentials: credentialsOf(organizationId, id, password),
      },
      revision: row.revision,
      location: `/primary/v1/${organizationId}/devices/${id}`,
      changes: changed(organizationId, undefined, row),
    };
  };
}

function update(deps: DeviceHandlerDeps): Devices['update'] {
  const { appKeys, recordFor, onChanged, onSaving } = deps;
  return async ({ params, body }, { tx, now, caller, precondition }) => {
    const { organizationId, deviceId } = params;
    const row = await lock(tx, organizationId, deviceId);
    precondition.check(row.revision);
    const edited = editedDeviceFields(row, body, appKeys.encryptionFor(organizationId, row.id));
    if ('error' in edited) throw invalid(edited.error);
    await requireDeviceReferences(tx, organizationId, edited.fields);
    const { parentDeviceId } = edited.fields;
    if (parentDeviceId !== null && parentDeviceId !== row.parentDeviceId) {
      await requireNoLoop(tx, organizationId, TREE, { id: deviceId, parentId: parentDeviceId });
    }
    const saved = orConflict(
      await store.updateDevice(tx, organizationId, deviceId, edited.fields, now),
    );
    await onSaving(tx, organizationId, { deviceId, before: row, after: saved });
    tx.afterCommit(() => onChanged(organizationId, deviceId));
    return {
      body: recordFor(caller, organizationId)(saved),
      revision: saved.revision,
      changes: changed(organizationId, row, saved),
    };
  };
}

function remove(deps: DeviceHandlerDeps): Devices['delete'] {
  const { onChanged, onSaving, onVariablesDeleted } = deps;
  return async ({ params }, { tx, precondition }) => {
    const { organizationId, deviceId } = params;
    const row = await lock(tx, organizationId, deviceId);
    precondition.check(row.revision);
    const seriesIds = await store.listSeriesIds(tx, organizationId, deviceId);
    await store.deleteDevice(tx, organizationId, deviceId);
    await onSaving(tx, organizationId, { deviceId, before: row, after: null });
    tx.afterCommit(() => {
      onChanged(organizationId, deviceId);
      onVariablesDeleted(seriesIds);
    });
    return { body: undefined, changes: changed(organizationId, row) };
  };
}

/** Archiving what is archived, and restoring what is not, changes nothing. */
function setArchived(
  { recordFor, onChanged }: DeviceHandlerDeps,
  archivedAt: (now: number) => number | null,
): Devices['archive'] & Devices['restore'] {
  return async ({ params: { organizationId, deviceId } }, { tx, now, caller }) => {
    const row = await lock(tx, organizationId, deviceId);
    const wanted = archivedAt(now);
    const isDone = (row.archivedAt === null) === (wanted === null);
    const saved = isDone ? row : await store.setArchived(tx, organizationId, deviceId, wanted, now);
    tx.afterCommit(() => onChanged(organizationId, deviceId));
    return {
      body: recordFor(caller, organizationId)(saved),
      revision: saved.revision,
      changes: isDone ? [] : changed(organizationId, row, saved),
    };
  };
}

function rotateCredentials({ onChanged }: DeviceHandlerDeps): Devices['rotateCredentials'] {
  return async ({ params }, { tx }) => {
    const { organizationId, deviceId } = params;
    const row = await lock(tx, organizationId, deviceId);
    const password = generateSecret();
    await store.setPasswordHash(tx, organizationId, deviceId, quickHash(password));
    tx.afterCommit(() => onChanged(organizationId, deviceId));
    return {
      body: credentialsOf(organizationId, deviceId, password),
      changes: [changeOf(organizationId, 'Device', { id: row.id, ...REPLACED_PASSWORD })],
    };
  };
}

/** The audit log masks both, and records that they differ. */
const REPLACED_PASSWORD = { before: { password: 'old' }, after: { password: 'new' } };

function updateOnlineWindow({ onChanged }: DeviceHandlerDeps): Devices['updateOnlineWindow'] {
  return async ({ params, body: { onlineMinutes } }, { tx, now, precondition }) => {
    const { organizationId, deviceId } = params;
    const row = await lock(tx, organizationId, deviceId);
    precondition.check(row.revision);
    const isSame = row.onlineMinutes === onlineMinutes;
    const saved = isSame
      ? row
      : await store.setOnlineMinutes(tx, organizationId, deviceId, onlineMinutes, now);
    tx.afterCommit(() => onChanged(organizationId, deviceId));
    return {
      body: windowOf(saved),
      revision: saved.revision,
      changes: isSame ? [] : changed(organizationId, row, saved),
    };
  };
}

const windowOf = ({ onlineMinutes, learnedOnlineMinutes }: DeviceRow) => ({
  onlineMinutes,
  learnedOnlineMinutes,
});

async function lock(tx: Transaction, organizationId: string, id: string): Promise<DeviceRow> {
  const row = await store.lockDevice(tx, organizationId, id);
  if (!row) throw notFound('Device');
  return row;
}

function requireDeviceReferences(
  tx: Transaction,
  organizationId: string,
  { locationId, parentDeviceId }: store.DeviceFields,
): Promise<void> {
  return requireReferences(tx, organizationId, [
    { path: 'locationId', table: 'locations', id: locationId },
    { path: 'parentDeviceId', table: 'devices', id: parentDeviceId },
  ]);
}

function orConflict(saved: store.Saved): DeviceRow {
  if (!('taken' in saved)) return saved;
  throw new Failure('CONFLICT', `Another Device has this configuration.${saved.taken}.`);
}

function credentialsOf(organizationId: string, id: string, password: string) {
  return { username: id, password, topic: `fieldwatch/${organizationId}/${id}` };
}

/** Shows whether a key was replaced. The audit log masks it. */
const encryptedText: RevealAppKey = (encrypted) => encrypted.toString('base64');

/** The fields that a person edits; what the Device itself reports is no audit entry. */
function auditFields(row: DeviceRow): Fields {
  const record = deviceRecord(row, OFFLINE, encryptedText);
  const { isOnline: _, lastSeenDateTime: __, ...fields } = record;
  return { ...fields, onlineMinutes: row.onlineMinutes, isArchived: row.archivedAt !== null };
}

function changed(organizationId: string, before?: DeviceRow, after?: DeviceRow): Change[] {
  const id = (after ?? before)?.id ?? '';
  const states = { id, before: before && auditFields(before), after: after && auditFields(after) };
  return [changeOf(organizationId, 'Device', states)];
}
