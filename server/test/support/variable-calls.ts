import { operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The calls that tests of Variables make over and over, at one server. */
export function variableCalls(server: TestOrganization) {
  let paths = 0;
  const nextPath = () => {
    paths += 1;
    return `path.${paths}`;
  };
  /** A body that is enough, with a path of its own. */
  const valid = () => ({
    topicPropertyPath: nextPath(),
    type: 'NUMBER',
    name: 'Variable',
    isLoggingEnabled: true,
  });
  const create = (deviceId: string, body: Fields = {}) =>
    server.call(operations.createVariable, { params: { deviceId }, body: { ...valid(), ...body } });
  const idOf = async (answer: Promise<Answered>): Promise<string> => (await answer).body.id;
  return {
    nextPath,
    valid,
    create,
    made: async (deviceId: string, body: Fields = {}) => {
      const answer = await create(deviceId, body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    },
    retrieve: (variableId: string) =>
      server.call(operations.retrieveVariable, { params: { variableId } }),
    update: (variableId: string, body: Fields, headers: Headers = {}) =>
      server.call(operations.updateVariable, { params: { variableId }, body, headers }),
    remove: (deviceId: string, variableId: string, headers: Headers = {}) =>
      server.call(operations.deleteVariable, { params: { deviceId, variableId }, headers }),
    list: async (query = '') => (await server.call(operations.listVariables, { query })).body,
    listOfDevice: (deviceId: string, query = '') =>
      server.call(operations.listDeviceVariables, { params: { deviceId }, query }),
    newDevice: () =>
      idOf(
        server.call(operations.createDevice, { body: { type: 'CUSTOM_DEVICE', name: 'Device' } }),
      ),
    newFolder: (body: Fields = {}) =>
      idOf(server.call(operations.createVariableFolder, { body: { name: 'Folder', ...body } })),
    newAsset: () => idOf(server.call(operations.createAsset, { body: { name: 'Asset' } })),
    bind: (assetId: string, variableIds: readonly string[]) =>
      server.call(operations.bindVariables, {
        params: { assetId },
        body: { variableIds, action: 'CONNECT' },
      }),
  };
}

export type VariableCalls = ReturnType<typeof variableCalls>;
