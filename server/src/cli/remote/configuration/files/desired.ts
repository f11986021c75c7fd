import { createHash } from 'node:crypto';
import {
  type FieldError,
  MANAGED_KEY_PART,
  OnlineWindow,
  type Operation,
  operations,
} from '@fieldwatch/contract';
import { createValidator, type Validate } from '../../../../http/index.ts';
import { isUuid } from '../../../../runtime/index.ts';
import { nearest } from '../../../command/index.ts';
import {
  type ConfigRecord,
  FIELDS,
  type FieldSpec,
  type Fields,
  filePath,
  isObject,
  type Json,
  type Kind,
  nameOf,
  normalized,
  ONLINE_KEY,
  type Referable,
  type Resolve,
  toApi,
} from '../model/index.ts';
import { type Path, pathText } from './document.ts';
import type { SourceRecord } from './files.ts';
import type { Place, Problem } from './problem.ts';

/** A record that is to be, checked as far as the files alone show. */
export interface DesiredRecord extends ConfigRecord {
  readonly references: readonly DesiredReference[];
  readonly place: Place;
}

export interface DesiredReference extends Problemless {
  readonly kind: Referable;
  readonly key: string;
}

/** Where a problem with it would be. */
type Problemless = Omit<Problem, 'reason'>;

export const CREATES: Readonly<Record<Kind, Operation>> = {
  locations: operations.createLocation,
  variableFolders: operations.createVariableFolder,
  devices: operations.createDevice,
  variables: operations.createVariable,
  webhooks: operations.createWebhook,
  rotas: operations.createRota,
  alarmGroups: operations.createAlarmGroup,
  escalationPolicies: operations.createEscalationPolicy,
  alarms: operations.createAlarm,
  assets: operations.createAsset,
  dashboards: operations.createDashboard,
};

const WORDING = { unknownField: 'is not a field of this record', root: '' };
const validators = new Map<object, Validate>();

function validatorOf(schema: object): Validate {
  const known = validators.get(schema);
  if (known) return known;
  const validate = createValidator(schema, WORDING);
  validators.set(schema, validate);
  return validate;
}

const KEY = new RegExp(`^${MANAGED_KEY_PART}$`);

/** Stands for the id of a record that may not exist yet: equal names have equal ids. */
function formOnlyId(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `018f0000-0000-7000-8000-${digits}`;
}

/** The records with what is wrong with them. */
export function desiredRecords(sources: readonly SourceRecord[]): {
  readonly records: readonly DesiredRecord[];
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const records = sources.map((source) => desiredRecord(source, problems));
  const first = new Map<string, DesiredRecord>();
  const paths = new Map<string, string>();
  for (const record of records) {
    const name = nameOf(record);
    const known = first.get(name);
    if (known) problems.push(problemAt(record, `is given in ${placeText(known.place)} already`));
    else first.set(name, record);
    if (known || record.kind !== 'variables') continue;
    const path = `${record.key.split('/')[0]} ${String(record.fields.topicPropertyPath)}`;
    const other = paths.get(path);
    if (other !== undefined) {
      problems.push(problemAt(record, `has the topicPropertyPath of ${other}`));
    } else paths.set(path, name);
  }
  problems.push(...loops(first));
  return { records: [...first.values()], problems };
}

const placeText = ({ file, line }: Place) => `${file}:${line}`;

function problemAt(record: DesiredRecord, reason: string): Problem {
  return { ...record.place, field: nameOf(record), reason };
}

function desiredRecord(source: SourceRecord, problems: Problem[]): DesiredRecord {
  const { kind, key, path, placeOf, isRefused } = source;
  const refuse = (inner: Path, reason: string) => {
    const at = [...path, ...inner];
    if (isRefused(at)) return;
    problems.push({ ...placeOf(at), field: pathText(at), reason });
  };
  const own = key.slice(key.indexOf('/') + 1);
  if (!KEY.test(own) || isUuid(own)) {
    refuse([], 'must have a key of letters, digits, dots, dashes and underscores, at most 100');
  } else if (kind === 'variables' && own === ONLINE_KEY) {
    refuse([], 'has the key of the built-in Variable; choose another one');
  }
  const fields = knownFields(source, refuse);
  const references: DesiredReference[] = [];
  const collect: Resolve = (refersTo, name, at) => {
    if (isUuid(name)) return name;
    const inner = [...path, ...parsedPath(at)];
    if (!isRefused(inner)) {
      references.push({ kind: refersTo, key: name, ...placeOf(inner), field: pathText(inner) });
    }
    return formOnlyId(nameOf({ kind: refersTo, key: name }));
  };
  const body = createBody(kind, fields, collect);
  for (const { path: at, message } of errorsOf(kind, fields, body)) {
    refuse(parsedPath(filePath(at)), message);
  }
  return { kind, key, fields: normalized(kind, fields), references, place: placeOf(path) };
}

/** `widgets[0].id` as the parts of a path. */
function parsedPath(text: string): Path {
  return [...text.matchAll(/[^.[\]]+/g)].map(([part], index) =>
    index > 0 && /^\d+$/.test(part) ? Number(part) : part,
  );
}

/** The fields that the kind has. Null stands for the default, as in the interface. */
function knownFields(
  { kind, value }: SourceRecord,
  refuse: (path: Path, reason: string) => void,
): Fields {
  if (value !== null && !isObject(value)) refuse([], 'must be a map of fields');
  const specs = FIELDS[kind];
  const fields: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(isObject(value) ? value : {})) {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (!spec) {
      if (kind === 'devices' && name === 'variables') continue;
      const meant = nearest(name, Object.keys(specs));
      refuse([name], `is no field here${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    } else if (isRightReference(spec, inner, (at, reason) => refuse([name, ...at], reason))) {
      if (inner !== null || spec.default === undefined) fields[name] = inner;
    }
  }
  return fields;
}

/** References are checked here, since a body has ids in their place. */
function isRightReference(
  { refersTo, default: value }: FieldSpec,
  given: Json,
  refuse: (path: Path, reason: string) => void,
): boolean {
  if (!refersTo) return true;
  const reason = `must be the key of one of the ${refersTo}`;
  if (!Array.isArray(value)) {
    const isRight = typeof given === 'string' || (given === null && value === null);
    if (!isRight) refuse([], reason);
    return isRight;
  }
  if (!Array.isArray(given)) {
    refuse([], `must be a list of keys of ${refersTo}`);
    return false;
  }
  const wrong = given.findIndex((each) => typeof each !== 'string');
  if (wrong >= 0) refuse([wrong], reason);
  return wrong < 0;
}

/** The body that creates a record with these fields. */
export function createBody(kind: Kind, fields: Fields, idOf: Resolve): Record<string, Json> {
  const all = toApi(kind, fields, idOf);
  const body: Record<string, Json> = {};
  for (const spec of Object.values(FIELDS[kind])) {
    if (spec.isSeparate) continue;
    // Null is left out, since not every field of a new record may be null.
    const value = all[spec.api] ?? spec.default ?? null;
    if (value !== null) body[spec.api] = value;
  }
  if (kind !== 'alarms') return body;
  return { ...body, alarmGroupId: body.alarmGroupId ?? null };
}

/** What the interface would refuse, by paths of the interface. */
function errorsOf(kind: Kind, fields: Fields, body: Record<string, Json>): FieldError[] {
  const { body: schema, check } = CREATES[kind];
  const sent = { ...body, ...sentLater(kind, fields) };
  const found = validatorOf(schema ?? {})(structuredClone(sent));
  const known = new Set(found.map(({ path }) => path));
  const own = check?.({ query: {}, body: sent }) ?? [];
  return [...found, ...own.filter(({ path }) => !known.has(path)), ...separateErrors(kind, fields)];
}

/** Fields of the body that follow from others, or that an operation of its own sets. */
function sentLater(kind: Kind, { escalationPolicy, reminderMinutes }: Fields): Fields {
  if (kind === 'alarms') return { deviceId: formOnlyId('') };
  if (kind !== 'alarmGroups') return {};
  return {
    ...(escalationPolicy === undefined ? {} : { escalationPolicyId: formOnlyId('') }),
    ...(reminderMinutes === undefined ? {} : { reminderMinutes }),
  };
}

function separateErrors(kind: Kind, fields: Fields): FieldError[] {
  if (kind === 'devices' && fields.onlineMinutes !== undefined) {
    return validatorOf(OnlineWindow)({ onlineMinutes: fields.onlineMinutes });
  }
  if (kind === 'alarmGroups' && fields.reminderMinutes !== undefined && !fields.escalationPolicy) {
    return [{ path: 'reminderMinutes', message: 'needs an escalationPolicy' }];
  }
  return Object.entries(FIELDS[kind])
    .filter(([, spec]) => spec.isSeparate && typeof spec.default === 'boolean')
    .filter(([name]) => fields[name] !== undefined && typeof fields[name] !== 'boolean')
    .map(([path]) => ({ path, message: 'must be true or false' }));
}

/** Records that are among their own parents. */
function loops(records: ReadonlyMap<string, DesiredRecord>): Problem[] {
  const parentOf = ({ kind, fields: { parent } }: DesiredRecord) =>
    typeof parent === 'string' ? records.get(nameOf({ kind, key: parent })) : undefined;
  return [...records.values()].flatMap((record) => {
    const seen = new Set<DesiredRecord>();
    for (let at = parentOf(record); at && !seen.has(at); at = parentOf(at)) {
      if (at === record) return [problemAt(record, 'is among its own parents')];
      seen.add(at);
    }
    return [];
  });
}
