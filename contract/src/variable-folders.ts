import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import { closed, DateTime, Id, listOf, name, nullable, paging, search } from './schema.ts';

export const VariableFolder = Type.Object(
  {
    id: Id,
    name: name(1, 100),
    parentId: nullable(Id),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type VariableFolder = Static<typeof VariableFolder>;

const path = '/primary/v1/{organizationId}/variable-folders';
const onePath = `${path}/{folderId}` as const;
const reads = { tag: 'Variables', access: anyCredential, effect: 'read' } as const;
const writes = {
  tag: 'Variables',
  access: permission('ManageVariableFolders'),
  effect: 'write',
} as const;
const tagged = {
  status: 200,
  description: 'The folder',
  body: VariableFolder,
  tagged: true,
} as const;

export const listVariableFolders = operation({
  ...reads,
  id: 'listVariableFolders',
  method: 'GET',
  path,
  summary: 'List the folders of Variables, newest first',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: { status: 200, description: 'A page of folders', body: listOf(VariableFolder) },
});

export const retrieveVariableFolder = operation({
  ...reads,
  id: 'retrieveVariableFolder',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a folder of Variables',
  reply: tagged,
});

export const createVariableFolder = operation({
  ...writes,
  id: 'createVariableFolder',
  method: 'POST',
  path,
  summary: 'Create a folder of Variables',
  body: Type.Object({ name: name(1, 100), parentId: Type.Optional(nullable(Id)) }, closed),
  reply: { status: 201, description: 'The folder', body: VariableFolder, tagged: true },
});

export const updateVariableFolder = operation({
  ...writes,
  id: 'updateVariableFolder',
  method: 'PATCH',
  path: onePath,
  summary: 'Rename a folder of Variables or move it to another parent',
  body: Type.Object(
    { name: Type.Optional(name(1, 100)), parentId: Type.Optional(nullable(Id)) },
    closed,
  ),
  reply: tagged,
});

export const deleteVariableFolder = operation({
  ...writes,
  id: 'deleteVariableFolder',
  method: 'DELETE',
  path: onePath,
  summary: 'Delete a folder; its Variables stay, its subfolders move to the top level',
  reply: { status: 204, description: 'The folder is deleted', tagged: true },
});
