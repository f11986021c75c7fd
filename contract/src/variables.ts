import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import {
  closed,
  DateTime,
  defaulted,
  filter,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
  sortDirection,
  text,
} from './schema.ts';

export const VARIABLE_TYPES = ['STRING', 'NUMBER', 'BOOLEAN'] as const;

export type VariableType = (typeof VARIABLE_TYPES)[number];

const topicPropertyPath = Type.String({
  minLength: 5,
  maxLength: 500,
  pattern: '^\\S+$',
  'x-messages': { pattern: 'must not contain white space' },
  description: 'The path of its readings; unique within the Device',
  examples: ['engine.rpm'],
});

/** A name of the catalogue, or any other of the same form: the list is not closed. */
export const classificationType = Type.String({
  maxLength: 100,
  pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$',
  'x-messages': { pattern: 'must be in upper snake case' },
  examples: ['ELECTRICAL_GENERATOR_KW'],
});

const unit = text(1, 9);
const isLoggingEnabled = Type.Boolean({
  description: 'Whether readings are stored as time-series history',
});

export const Variable = Type.Object(
  {
    id: Id,
    name: name(2, 100),
    topicPropertyPath,
    type: oneOf(VARIABLE_TYPES),
    unit: nullable(unit),
    isLoggingEnabled,
    deviceId: Id,
    description: nullable(text(0, 500)),
    classificationType: nullable(classificationType),
    folderId: nullable(Id),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Variable = Static<typeof Variable>;

const path = '/primary/v1/{organizationId}/devices/variables';
const onePath = `${path}/{variableId}` as const;
const devicePath = '/primary/v1/{organizationId}/devices/{deviceId}/variables';
const integrate = { tag: 'Variables', stage: 'Integrate' } as const;
const tagged = { status: 200, description: 'The Variable', body: Variable, tagged: true } as const;

export const listVariables = operation({
  ...integrate,
  id: 'listVariables',
  method: 'GET',
  path,
  summary: 'List the Variables of all Devices, newest first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      deviceIds: Type.Optional(filter(Type.String())),
      assetIds: Type.Optional(filter(Type.String())),
      folderIds: Type.Optional(filter(Type.String())),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of Variables', body: listOf(Variable) },
});

const FoundVariable = Type.Object(
  {
    ...Variable.properties,
    deviceName: Type.String(),
    locationId: nullable(Id),
    locationName: nullable(Type.String({ description: 'The name of the Location of its Device' })),
  },
  closed,
);

export type FoundVariable = Static<typeof FoundVariable>;

export const VARIABLE_SORTS = ['RELEVANCE', 'NAME', 'DEVICE', 'CREATED'] as const;

export type VariableSort = (typeof VARIABLE_SORTS)[number];

export const searchVariables = operation({
  tag: 'Variables',
  id: 'searchVariables',
  method: 'POST',
  path: `${path}/search`,
  summary:
    'Search Variables by their names and those of their Devices and Locations; by default exact matches first, then names that begin with the search',
  access: anyCredential,
  effect: 'read',
  body: Type.Object(
    {
      search: Type.Optional({
        ...search,
        description:
          'Words, each part of the name of the Variable, its Device or its Location; case-insensitive, literal; an empty value does not filter',
      }),
      ids: Type.Optional(filter(Type.String())),
      deviceIds: Type.Optional(filter(Type.String())),
      folderIds: Type.Optional(filter(Type.String())),
      sortBy: defaulted(oneOf(VARIABLE_SORTS), 'RELEVANCE'),
      sortDirection,
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of Variables', body: listOf(FoundVariable) },
});

export const listDeviceVariables = operation({
  ...integrate,
  id: 'listDeviceVariables',
  method: 'GET',
  path: devicePath,
  summary: 'List the Variables of a Device, newest first',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional({
        ...search,
        description:
          'Case-insensitive, literal, in name, topic property path and description; an empty value does not filter',
      }),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of Variables', body: listOf(Variable) },
});

export const retrieveVariable = operation({
  ...integrate,
  id: 'retrieveVariable',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a Variable',
  access: anyCredential,
  effect: 'read',
  reply: tagged,
});

export const createVariable = operation({
  ...integrate,
  id: 'createVariable',
  method: 'POST',
  path: devicePath,
  summary: 'Create a Variable of a Device',
  access: permission('CreateVariable'),
  effect: 'write',
  body: Type.Object(
    {
      topicPropertyPath,
      type: oneOf(VARIABLE_TYPES),
      name: name(2, 100),
      isLoggingEnabled,
      description: Type.Optional(nullable(text(0, 500))),
      unit: Type.Optional(unit),
      classificationType: Type.Optional(classificationType),
      folderId: Type.Optional(nullable(Id)),
    },
    closed,
  ),
  reply: { status: 201, description: 'The Variable', body: Variable, tagged: true },
  failures: ['CONFLICT'],
});

export const updateVariable = operation({
  ...integrate,
  id: 'updateVariable',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a Variable; `topicPropertyPath` and `type` are fixed',
  access: permission('UpdateVariable'),
  effect: 'write',
  body: Type.Object(
    {
      name: Type.Optional(name(2, 100)),
      description: Type.Optional(nullable(text(0, 500))),
      unit: Type.Optional(nullable(unit)),
      isLoggingEnabled: Type.Optional(isLoggingEnabled),
      classificationType: Type.Optional(nullable(classificationType)),
      folderId: Type.Optional(nullable(Id)),
    },
    closed,
  ),
  reply: tagged,
  failures: ['CONFLICT'],
});

export const deleteVariable = operation({
  ...integrate,
  id: 'deleteVariable',
  method: 'DELETE',
  path: `${devicePath}/{variableId}`,
  summary: 'Delete a Variable permanently, with its history, Alarms and bindings',
  access: permission('DeleteVariable'),
  effect: 'write',
  reply: { status: 204, description: 'The Variable is deleted', tagged: true },
  failures: ['CONFLICT'],
});
