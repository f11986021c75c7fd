import { isEquipmentWidget } from '@fieldwatch/contract';
import { isObject, isSame, type JsonObject } from './json.ts';
import { FIELDS, type Fields, type Json, type Kind, type Referable } from './kinds.ts';

/**
 * Turns the name of a record, which is an id on one side and a key on the other, into its name on
 * the other side; undefined where there is no such record.
 */
export type Resolve = (kind: Referable, name: string, path: string) => string | undefined;

interface NestedReference {
  readonly file: string;
  readonly api: string;
  readonly refersTo: Referable;
}

const SUBSCRIPTION: readonly NestedReference[] = [
  { file: 'webhook', api: 'webhookId', refersTo: 'webhooks' },
];
const LAYER: readonly NestedReference[] = [{ file: 'users', api: 'userIds', refersTo: 'users' }];
const TARGET: readonly NestedReference[] = [
  { file: 'user', api: 'userId', refersTo: 'users' },
  { file: 'rota', api: 'rotaId', refersTo: 'rotas' },
  { file: 'alarmGroup', api: 'alarmGroupId', refersTo: 'alarmGroups' },
  { file: 'webhook', api: 'webhookId', refersTo: 'webhooks' },
];
const GENERATOR: readonly NestedReference[] = [
  { file: 'runningHoursVariables', api: 'runningHoursVariableIds', refersTo: 'variables' },
];
const WIDGET: readonly NestedReference[] = [
  { file: 'variable', api: 'variableId', refersTo: 'variables' },
  { file: 'variables', api: 'variableIds', refersTo: 'variables' },
  { file: 'asset', api: 'assetId', refersTo: 'assets' },
  { file: 'assets', api: 'assetIds', refersTo: 'assets' },
  { file: 'location', api: 'locationId', refersTo: 'locations' },
];

/** The settings of each type of widget that name records. Unknown types are left as they are. */
const WIDGET_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  VALUE: ['variable'],
  GAUGE: ['variable'],
  SPARKLINE: ['variable'],
  CHART: ['variables'],
  STATE_TIMELINE: ['variables'],
  BAR: ['variables'],
  TABLE: ['variables'],
  ALARM_LIST: ['variables', 'assets'],
  ASSET_TABLE: ['assets'],
  MAP: ['assets'],
};

function widgetReferences(type: Json | undefined): readonly NestedReference[] {
  if (typeof type !== 'string') return [];
  const settings = isEquipmentWidget(type) ? ['asset', 'location'] : WIDGET_SETTINGS[type];
  return WIDGET.filter(({ file }) => settings?.includes(file));
}

type Side = 'file' | 'api';

interface Translation {
  /** The side that is translated to. */
  readonly to: Side;
  readonly resolve: Resolve;
}

/** The object with its references by their names on the other side, in the same order of keys. */
function withReferences(
  value: JsonObject,
  references: readonly NestedReference[],
  { to, resolve }: Translation,
  path: string,
): JsonObject {
  const from: Side = to === 'api' ? 'file' : 'api';
  const resolved = (kind: Referable, name: Json, at: string): Json =>
    typeof name === 'string' ? (resolve(kind, name, at) ?? name) : name;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      const reference = references.find((each) => each[from] === key);
      if (!reference) return [key, inner];
      const at = `${path}.${key}`;
      const translated = Array.isArray(inner)
        ? inner.map((name, index) => resolved(reference.refersTo, name, `${at}[${index}]`))
        : resolved(reference.refersTo, inner, at);
      return [reference[to], translated];
    }),
  );
}

function each(list: Json | undefined, change: (item: JsonObject, index: number) => Json): Json {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((item: Json, index) => (isObject(item) ? change(item, index) : item));
}

/** A field whose value has references within. */
function nested(
  kind: Kind,
  field: string,
  value: Json,
  record: JsonObject,
  translation: Translation,
): Json {
  if (kind === 'alarmGroups' && field === 'subscriptions') {
    return each(value, (item, index) =>
      withReferences(item, SUBSCRIPTION, translation, `${field}[${index}]`),
    );
  }
  if (kind === 'rotas' && field === 'layers') {
    return each(value, (item, index) =>
      withReferences(item, LAYER, translation, `${field}[${index}]`),
    );
  }
  if (kind === 'escalationPolicies' && field === 'steps') {
    return each(value, (step, index) => ({
      ...step,
      targets: each(step.targets, (item, inner) =>
        withReferences(item, TARGET, translation, `${field}[${index}].targets[${inner}]`),
      ),
    }));
  }
  if (!isObject(value)) return value;
  if (kind === 'assets' && field === 'classificationDetails') {
    const isGenerator = record.classificationType === 'ELECTRICAL_GENERATOR';
    return isGenerator ? withReferences(value, GENERATOR, translation, field) : value;
  }
  if (kind !== 'dashboards' || field !== 'configuration' || !('widgets' in value)) return value;
  const widgets = each(value.widgets, (item, index) =>
    withReferences(item, widgetReferences(item.type), translation, `${field}.widgets[${index}]`),
  );
  return { ...value, widgets };
}

/** The given fields by their names in the interface, with ids in place of keys. */
export function toApi(kind: Kind, fields: Fields, idOf: Resolve): Record<string, Json> {
  const body: Record<string, Json> = {};
  for (const [name, { api, refersTo }] of Object.entries(FIELDS[kind])) {
    const value = fields[name];
    if (value === undefined) continue;
    const resolved = (key: Json, at: string) =>
      typeof key === 'string' && refersTo ? (idOf(refersTo, key, at) ?? null) : key;
    if (!refersTo) body[api] = nested(kind, name, value, fields, { to: 'api', resolve: idOf });
    else if (Array.isArray(value)) {
      body[api] = value.map((key: Json, index) => resolved(key, `${name}[${index}]`));
    } else body[api] = resolved(value, name);
  }
  return body;
}

/** The fields of a record of the interface; references to unknown records are left out. */
export function toFields(kind: Kind, record: JsonObject, keyOf: Resolve): Fields {
  const fields: Record<string, Json> = {};
  for (const [name, { api, refersTo }] of Object.entries(FIELDS[kind])) {
    const value = record[api];
    if (value === undefined) continue;
    if (!refersTo) {
      fields[name] = nested(kind, name, value, record, { to: 'file', resolve: keyOf });
    } else if (Array.isArray(value)) {
      fields[name] = value.flatMap((id: Json) => keyOf(refersTo, String(id), name) ?? []);
    } else if (typeof value === 'string') {
      fields[name] = keyOf(refersTo, value, name) ?? null;
    }
  }
  return normalized(kind, fields);
}

/** Without what the layer leaves to its default. */
function plainLayer({ handoffWeekday = null, hours = [], ...layer }: JsonObject): JsonObject {
  return {
    ...layer,
    ...(handoffWeekday === null ? {} : { handoffWeekday }),
    ...(isSame(hours, []) ? {} : { hours }),
  };
}

const HEX_FIELDS = ['gatewayEui', 'devEui', 'appEui', 'appKey'];

/** The same value always in the same form, as the server stores it. */
function normalizedValue(kind: Kind, name: string, value: Json): Json {
  if (kind === 'alarmGroups' && name === 'subscriptions') {
    return each(value, ({ severities = [], ...rest }) =>
      isSame(severities, []) ? rest : { ...rest, severities },
    );
  }
  if (kind === 'rotas' && name === 'layers') return each(value, (item) => plainLayer(item));
  if (kind === 'escalationPolicies' && name === 'steps') {
    return each(value, ({ unless = 'ACKNOWLEDGED', ...step }) =>
      unless === 'ACKNOWLEDGED' ? step : { ...step, unless },
    );
  }
  if (kind === 'assets' && name === 'variables' && Array.isArray(value)) {
    return [...new Set(value.map(String))].sort();
  }
  if (kind !== 'devices' || name !== 'configuration' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [
        key,
        HEX_FIELDS.includes(key) && typeof inner === 'string' ? inner.toUpperCase() : inner,
      ]),
  );
}

/** In the order of the kind, without fields that have their default. */
export function normalized(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(FIELDS[kind]).flatMap(([name, spec]): [string, Json][] => {
      const given = fields[name];
      if (given === undefined) return [];
      const value = normalizedValue(kind, name, given);
      return spec.default !== undefined && isSame(value, spec.default) ? [] : [[name, value]];
    }),
  );
}

const FILE_NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...[...SUBSCRIPTION, ...LAYER, ...TARGET, ...GENERATOR, ...WIDGET].map(({ api, file }) => [
    api,
    file,
  ]),
  ...Object.values(FIELDS).flatMap((specs) =>
    Object.entries(specs).map(([name, { api }]) => [api, name]),
  ),
]);

/** A path of the interface, such as `widgets[0].variableId`, as a file has it. */
export function filePath(apiPath: string): string {
  return apiPath.replaceAll(/[A-Za-z]+/g, (name) => FILE_NAMES[name] ?? name);
}
