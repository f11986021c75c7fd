import { isUuid } from '../../../../runtime/index.ts';
import {
  compareText,
  isObject,
  type Json,
  type JsonObject,
  type Kind,
  nameOf,
  ONLINE_KEY,
  type Referable,
  type Resolve,
  toFields,
} from '../model/index.ts';
import type { ActualRecord } from '../plan/index.ts';

/** A record as the interface has it, with ids for what it refers to. */
export interface ServerRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly isArchived: boolean;
  readonly record: JsonObject;
}

export interface StoredKey {
  readonly kind: Kind;
  readonly key: string;
  readonly id: string;
}

/** A user of the organization. */
export interface Member {
  readonly id: string;
  readonly email: string;
}

/** The records of an organization by their keys. */
export interface ActualState {
  readonly records: readonly ActualRecord[];
  readonly keyOf: Resolve;
  readonly idOf: Resolve;
  /** Records and references that have no place in a file, with the reason. */
  readonly notes: readonly string[];
}

const idName = (kind: Referable, id: string) => `${kind} ${id.toLowerCase()}`;

/** Stored keys, and keys derived from names for records that have none. */
export function actualState(
  found: readonly ServerRecord[],
  stored: readonly StoredKey[],
  members: readonly Member[] = [],
): ActualState {
  const keys = keysOf(found, stored);
  const ids = new Map<string, string>();
  for (const { id, email } of members) {
    keys.set(idName('users', id), { key: email, isStored: true });
    ids.set(nameOf({ kind: 'users', key: email }), id);
  }
  for (const { kind, id } of found) {
    const key = keys.get(idName(kind, id))?.key;
    if (key !== undefined) ids.set(nameOf({ kind, key }), id);
  }
  addOnlineVariables(found, keys, ids);
  const keyOf: Resolve = (kind, id) => keys.get(idName(kind, id))?.key;
  const idOf: Resolve = (kind, key) => ids.get(nameOf({ kind, key }));
  const notes: string[] = [];
  const records = found.flatMap((each): ActualRecord[] => {
    const own = keys.get(idName(each.kind, each.id));
    return own ? actualRecord(each, own, keyOf, notes) : [];
  });
  records.sort((one, other) => compareText(one.key, other.key));
  return { records, keyOf, idOf, notes };
}

function actualRecord(
  { kind, id, record, isArchived }: ServerRecord,
  { key, isStored }: OwnKey,
  keyOf: Resolve,
  notes: string[],
): ActualRecord[] {
  const lost = (refersTo: Referable, other: string) =>
    notes.push(`${nameOf({ kind, key })} refers to ${refersTo} ${other}, which is not among them.`);
  const fields = toFields(kind, record, (refersTo, other, path) => {
    const found = keyOf(refersTo, other, path);
    if (found === undefined && !isArchived) lost(refersTo, other);
    return found;
  });
  // An Alarm of an archived Device watches nothing that a file could name.
  if (kind === 'alarms' && typeof fields.variable !== 'string') return [];
  return [{ kind, key, id, isArchived, isKeyStored: isStored, fields }];
}

interface OwnKey {
  readonly key: string;
  readonly isStored: boolean;
}

/** Archived records count only if they have a stored key: a file may bring them back. */
function keysOf(found: readonly ServerRecord[], stored: readonly StoredKey[]): Map<string, OwnKey> {
  const storedKeys = new Map(stored.map(({ kind, id, key }) => [idName(kind, id), key]));
  const keys = new Map<string, OwnKey>();
  const taken = new Set(stored.map(nameOf));
  const inOrder = [...found].sort(
    (one, other) => compareText(created(one), created(other)) || compareText(one.id, other.id),
  );
  const assign = (each: ServerRecord, prefix: string) => {
    const known = storedKeys.get(idName(each.kind, each.id));
    if (known === undefined && each.isArchived) return;
    const own = known?.slice(known.indexOf('/') + 1);
    const key = own === undefined ? freeKey(each, prefix, taken) : prefix + own;
    taken.add(nameOf({ kind: each.kind, key }));
    keys.set(idName(each.kind, each.id), { key, isStored: key === known });
  };
  for (const each of inOrder.filter(({ kind }) => kind !== 'variables')) assign(each, '');
  for (const each of inOrder.filter(({ kind }) => kind === 'variables')) {
    const device = keys.get(idName('devices', String(each.record.deviceId)));
    if (device) assign(each, `${device.key}/`);
  }
  return keys;
}

const created = ({ record }: ServerRecord) => String(record.createdDateTime ?? '');

/** A Variable is named by its path, which is unique within its Device, everything else by its name. */
function freeKey({ kind, record }: ServerRecord, prefix: string, taken: Set<string>): string {
  const isVariable = kind === 'variables';
  const text = isVariable ? String(record.topicPropertyPath) : String(record.name).toLowerCase();
  const derived = keyFrom(text) || kind;
  // Where a key may stand, a UUID is an id.
  const base = isUuid(derived) ? `${kind}-${derived}` : derived;
  for (let number = 1; ; number += 1) {
    const key = `${prefix}${base}${number === 1 ? '' : `-${number}`}`;
    const isReserved = isVariable && key === `${prefix}${ONLINE_KEY}`;
    if (!isReserved && !taken.has(nameOf({ kind, key }))) return key;
  }
}

const MAX_DERIVED_KEY = 60;

/** "größe, halle 1" is `grosse-halle-1`; a path such as `engine.oilPressure` stays. */
function keyFrom(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_DERIVED_KEY)
    .replace(/[^A-Za-z0-9]+$/, '');
}

function addOnlineVariables(
  found: readonly ServerRecord[],
  keys: Map<string, OwnKey>,
  ids: Map<string, string>,
): void {
  for (const { kind, id, record } of found) {
    const { onlineVariableId } = record;
    const device = kind === 'devices' ? keys.get(idName(kind, id)) : undefined;
    if (!device || typeof onlineVariableId !== 'string') continue;
    const key = `${device.key}/${ONLINE_KEY}`;
    keys.set(idName('variables', onlineVariableId), { key, isStored: true });
    ids.set(nameOf({ kind: 'variables', key }), onlineVariableId);
  }
}

/** The record without the built-in Variable, and with the ids of bound Variables. */
export function asServerRecord(kind: Kind, value: Json, isArchived = false): ServerRecord {
  const record = isObject(value) ? value : {};
  const { variables } = record;
  const bound = Array.isArray(variables)
    ? { variableIds: variables.map((each: Json) => (isObject(each) ? (each.id ?? null) : each)) }
    : {};
  return { kind, id: String(record.id), isArchived, record: { ...record, ...bound } };
}
