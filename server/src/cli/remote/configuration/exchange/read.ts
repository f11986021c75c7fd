import type { ArchivedScope, OperationId } from '@fieldwatch/contract';
import {
  isObject,
  isSame,
  type Json,
  type JsonObject,
  KINDS,
  KINDS_FOR_USERS,
  type Kind,
  MANAGED,
} from '../model/index.ts';
import {
  type ActualState,
  actualState,
  asServerRecord,
  type Member,
  type ServerRecord,
  type StoredKey,
} from './actual.ts';
import { CALLS, type Call, forEachOf } from './calls.ts';

const TAKE = 1_000;

interface Source {
  readonly call: Call;
  /** Only users can read all kinds. */
  readonly isUser: boolean;
}

/** Reads the whole configuration of an organization. */
export async function readActual({ call, isUser }: Source): Promise<ActualState> {
  const kinds = KINDS.filter((kind) => isUser || !KINDS_FOR_USERS.includes(kind));
  const [stored, members, windows, ...lists] = await Promise.all([
    storedKeys(call),
    isUser ? listMembers(call) : [],
    onlineWindows(call),
    ...kinds.map((kind) => listed(call, kind)),
  ]);
  const online = new Set(
    lists
      .flat()
      .flatMap(({ kind, record }) => (kind === 'devices' ? [record.onlineVariableId] : [])),
  );
  const found = lists.flat().filter(({ kind, id }) => kind !== 'variables' || !online.has(id));
  const whole = found.filter(({ kind }) => kind !== 'dashboards');
  await forEachOf(
    found.filter(({ kind }) => kind === 'dashboards'),
    async (record) => {
      whole.push(await withConfiguration(call, record));
    },
  );
  return actualState(
    whole.map((each) => withWindow(each, windows.get(each.id))),
    stored,
    members,
  );
}

async function listMembers(call: Call): Promise<Member[]> {
  const items = await everything(call, 'listAlarmAssignees', (page) => ({ query: page }));
  return items.map(({ userId, email }) => ({ id: String(userId), email: String(email) }));
}

async function storedKeys(call: Call): Promise<StoredKey[]> {
  const items = await everything(call, 'listManagedResources', (page) => ({ query: page }));
  return items.flatMap((item) => {
    const kind = KINDS.find((each) => MANAGED[each] === item.kind);
    return kind ? [{ kind, key: String(item.key), id: String(item.resourceId) }] : [];
  });
}

/** Kinds of which a deletion is an archive, or that have one. */
const SCOPES: Readonly<Partial<Record<Kind, readonly ArchivedScope[]>>> = {
  devices: ['active', 'archived'],
  alarms: ['active', 'archived'],
  dashboards: ['active', 'archived'],
};

async function listed(call: Call, kind: Kind): Promise<ServerRecord[]> {
  const { list } = CALLS[kind];
  const scopes = SCOPES[kind] ?? [undefined];
  const found = await Promise.all(
    scopes.map(async (archivedScope) => {
      const filter = archivedScope ? { archivedScope } : {};
      const items = await everything(call, list, (page) =>
        kind === 'alarms' ? { body: { ...page, ...filter } } : { query: { ...page, ...filter } },
      );
      return items.map((item) => asServerRecord(kind, item, archivedScope === 'archived'));
    }),
  );
  return found.flat();
}

async function everything(
  call: Call,
  operation: OperationId,
  input: (page: { skip: number; take: number }) => Readonly<Record<string, unknown>>,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (;;) {
    const { body } = await call(operation, input({ skip: items.length, take: TAKE }));
    const page = isObject(body) && Array.isArray(body.items) ? body.items : [];
    items.push(...page.filter(isObject));
    if (page.length < TAKE) return items;
  }
}

/** The Devices that have a window of their own, with its length. */
async function onlineWindows(call: Call): Promise<ReadonlyMap<string, Json | undefined>> {
  const items = await everything(call, 'listOnlineWindows', (page) => ({ query: page }));
  return new Map(items.map(({ deviceId, onlineMinutes }) => [String(deviceId), onlineMinutes]));
}

/** A Device with its online window, which lists of Devices do not have. */
function withWindow(found: ServerRecord, onlineMinutes: Json = null): ServerRecord {
  if (found.kind !== 'devices') return found;
  return { ...found, record: { ...found.record, onlineMinutes } };
}

/** A Dashboard with its configuration, which lists do not have. */
async function withConfiguration(call: Call, found: ServerRecord): Promise<ServerRecord> {
  const { body } = await call('retrieveDashboard', { dashboardId: found.id });
  const board = isObject(body) ? body : {};
  const isPublished = isSame(await publishedConfiguration(call, found.id), board.configuration);
  return { ...found, record: { ...found.record, ...board, isPublished } };
}

async function publishedConfiguration(call: Call, dashboardId: string): Promise<Json | undefined> {
  const { body } = await call('listDashboardHistories', { dashboardId, query: { take: 1 } });
  const [last] = isObject(body) && Array.isArray(body.items) ? (body.items as Json[]) : [];
  if (!isObject(last)) return undefined;
  const version = await call('retrieveDashboardHistory', { dashboardId, historyId: last.id });
  return isObject(version.body) ? version.body.configuration : undefined;
}

/** The record as it is now, in the form of lists and with what they do not have. */
export async function readOne(
  call: Call,
  { kind, id }: { readonly kind: Kind; readonly id: string },
): Promise<{ readonly found: ServerRecord; readonly etag: string | null }> {
  const { idName, retrieve } = CALLS[kind];
  const { body, etag } = await call(retrieve, { [idName]: id });
  const found = asServerRecord(kind, body);
  if (kind === 'dashboards') return { found: await withConfiguration(call, found), etag };
  if (kind !== 'devices') return { found, etag };
  const window = await call('retrieveOnlineWindow', { deviceId: id });
  const { onlineMinutes } = isObject(window.body) ? window.body : {};
  return { found: withWindow(found, onlineMinutes), etag };
}

const IDS_PER_CALL = 50;

/** The number of stored readings of Variables. */
export async function countReadings(call: Call, variableIds: readonly string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < variableIds.length; from += IDS_PER_CALL) {
    const ids = variableIds.slice(from, from + IDS_PER_CALL);
    const { body } = await call('listManyReadings', { query: { ids, take: 1 } });
    const items = isObject(body) && Array.isArray(body.items) ? (body.items as Json[]) : [];
    for (const item of items) count += isObject(item) ? Number(item.count) : 0;
  }
  return count;
}
