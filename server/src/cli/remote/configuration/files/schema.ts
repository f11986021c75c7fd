import { MANAGED_KEY_PART, OnlineWindow } from '@fieldwatch/contract';
import {
  FIELDS,
  type FieldSpec,
  isObject,
  type Json,
  type JsonObject,
  type Kind,
} from '../model/index.ts';
import { CREATES } from './desired.ts';
import { TOP_KINDS } from './files.ts';

const SUBSTITUTED: Json = { type: 'string', pattern: '\\$\\{.+\\}' };
const KEY: Json = {
  type: 'string',
  pattern: `^${MANAGED_KEY_PART}(/${MANAGED_KEY_PART})?$|\\$\\{.+\\}`,
};
const keyOf = (kinds: string): Json => ({
  ...(KEY as JsonObject),
  description: `Key of one of the ${kinds}`,
});

const EMAIL: Json = { type: 'string', description: 'Email of a user of the organization' };

/** Names of the interface within records that refer to others, and what files have instead. */
const NESTED: Readonly<Record<string, readonly [string, Json]>> = {
  variableId: ['variable', keyOf('Variables')],
  variableIds: ['variables', { type: 'array', items: keyOf('Variables') }],
  assetId: ['asset', keyOf('assets')],
  assetIds: ['assets', { type: 'array', items: keyOf('assets') }],
  locationId: ['location', keyOf('locations')],
  webhookId: ['webhook', keyOf('webhooks')],
  rotaId: ['rota', keyOf('rotas')],
  alarmGroupId: ['alarmGroup', keyOf('alarmGroups')],
  userId: ['user', EMAIL],
  userIds: ['users', { type: 'array', items: { anyOf: [EMAIL, { type: 'null' }] } }],
  runningHoursVariableIds: ['runningHoursVariables', { type: 'array', items: keyOf('Variables') }],
};

/** The JSON Schema of files of configuration, for editors; made from the schemas of the interface. */
export function configurationSchema(): JsonObject {
  const properties = Object.fromEntries(
    TOP_KINDS.map((kind) => [kind, recordsOf(recordSchema(kind))]),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Fieldwatch configuration',
    type: 'object',
    additionalProperties: false,
    properties: { ...properties, parameters: PARAMETERS, instances: INSTANCES },
  };
}

const PARAMETERS: Json = {
  description: 'Makes the file a template, which instances of other files use',
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9]*$' },
  additionalProperties: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      type: { enum: ['string', 'number', 'boolean'], default: 'string' },
      description: { type: 'string' },
      default: { type: ['string', 'number', 'boolean'] },
    },
  },
};

const INSTANCES: Json = {
  description: 'Uses of templates',
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['template'],
    properties: {
      template: { type: 'string', description: 'A file, from the folder of this one' },
      parameters: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      },
    },
  },
};

function recordsOf(schema: Json): Json {
  return { type: ['object', 'null'], propertyNames: KEY, additionalProperties: schema };
}

function recordSchema(kind: Kind): Json {
  const specs = Object.entries(FIELDS[kind]);
  const body = bodyProperties(kind);
  const properties = Object.fromEntries(
    specs.map(([name, spec]) => [name, fieldSchema(spec, body[spec.api])]),
  );
  return {
    type: 'object',
    additionalProperties: false,
    required: specs.filter(([, spec]) => spec.default === undefined).map(([name]) => name),
    properties:
      kind === 'devices'
        ? { ...properties, variables: recordsOf(recordSchema('variables')) }
        : properties,
  };
}

function fieldSchema({ refersTo, default: value }: FieldSpec, schema: Json | undefined): Json {
  const isNullable = value === null;
  if (refersTo) {
    const key = keyOf(refersTo);
    if (Array.isArray(value)) return { type: 'array', items: key };
    return isNullable ? { anyOf: [key, { type: 'null' }] } : key;
  }
  const shown = schema === undefined ? { type: 'boolean' } : forFiles(schema);
  const withDefault = value === undefined || isNullable || !isObject(shown);
  return withDefault ? shown : { ...shown, default: value };
}

/** The fields of the body that creates a record; of a Device, those of all its types. */
function bodyProperties(kind: Kind): Readonly<Record<string, Json>> {
  const schema = plain(CREATES[kind].body) as JsonObject;
  if (!Array.isArray(schema.oneOf)) return schema.properties as JsonObject;
  const branches = schema.oneOf.map((branch) => (branch as JsonObject).properties as JsonObject);
  const types = branches.flatMap(({ type }) => (type as JsonObject).enum as readonly Json[]);
  const configurations = branches.flatMap(({ configuration }) => configuration ?? []);
  return {
    ...branches[0],
    type: { enum: types },
    configuration: { anyOf: configurations },
    onlineMinutes: plain(OnlineWindow.properties.onlineMinutes),
  };
}

/** A schema as JSON, without what only the server understands. */
function plain(schema: unknown): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'x-messages' || key === 'discriminator' ? undefined : value,
    ),
  ) as Json;
}

/** The schema with keys in place of ids, and with substitutes wherever a plain value is. */
function forFiles(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { properties, items, allOf, anyOf, oneOf, ...rest } = schema;
  const list = (schemas: Json | undefined, name: string): JsonObject =>
    Array.isArray(schemas) ? { [name]: schemas.map(forFiles) } : {};
  const inner: JsonObject = {
    ...rest,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...(isObject(rest.then) ? { then: forFiles(rest.then) } : {}),
    ...(isObject(properties) ? { properties: renamed(properties) } : {}),
    ...(Array.isArray(rest.required) ? { required: requiredOf(rest.required, properties) } : {}),
    ...(items === undefined ? {} : { items: forFiles(items) }),
    ...list(allOf, 'allOf'),
    ...list(anyOf, 'anyOf'),
    ...list(oneOf, 'oneOf'),
  };
  const isPlain = [rest.type].flat().some((type) => typeof type === 'string' && PLAIN.has(type));
  return isPlain || 'enum' in rest || 'const' in rest ? { anyOf: [inner, SUBSTITUTED] } : inner;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

function renamed(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => NESTED[name] ?? [name, forFiles(schema)]),
  );
}

/** What has a default can be left out of a file. */
function requiredOf(required: readonly Json[], properties: Json | undefined): Json {
  const isLeftOut = (name: string) => {
    const schema = isObject(properties) ? properties[name] : undefined;
    return isObject(schema) && 'default' in schema;
  };
  return required
    .map(String)
    .flatMap((name) => (isLeftOut(name) ? [] : (NESTED[name]?.[0] ?? name)));
}
