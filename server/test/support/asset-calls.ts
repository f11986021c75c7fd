import { operations } from '@fieldwatch/contract';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Action = 'CONNECT' | 'DISCONNECT';

/** The calls that tests of Assets make over and over, at one server. */
export function assetCalls(server: TestOrganization) {
  let paths = 0;
  const create = (body: Fields = {}) =>
    server.call(operations.createAsset, { body: { name: 'Asset', ...body } });
  const idOf = async (answer: Promise<Answered>): Promise<string> => {
    const { status, body } = await answer;
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  };
  const newDevice = () =>
    idOf(server.call(operations.createDevice, { body: { type: 'CUSTOM_DEVICE', name: 'Device' } }));
  return {
    create,
    made: async (body: Fields = {}) => (await create(body)).body,
    retrieve: (assetId: string) => server.call(operations.retrieveAsset, { params: { assetId } }),
    update: (assetId: string, body: Fields, headers: Headers = {}) =>
      server.call(operations.updateAsset, { params: { assetId }, body, headers }),
    remove: (assetId: string, headers: Headers = {}) =>
      server.call(operations.deleteAsset, { params: { assetId }, headers }),
    list: (query = '') => server.call(operations.listAssets, { query }),
    bind: (assetId: string, variableId: unknown, action: Action = 'CONNECT') =>
      server.call(operations.bindVariable, { params: { assetId }, body: { variableId, action } }),
    bindMany: (assetId: string, variableIds: unknown, action: Action = 'CONNECT') =>
      server.call(operations.bindVariables, { params: { assetId }, body: { variableIds, action } }),
    newDevice,
    /** A Variable of the Device, or of a new one. */
    async newVariable(body: Fields = {}, device?: string): Promise<Answered['body']> {
      paths += 1;
      const answer = await server.call(operations.createVariable, {
        params: { deviceId: device ?? (await newDevice()) },
        body: {
          topicPropertyPath: `path.${paths}`,
          type: 'NUMBER',
          name: 'Variable',
          isLoggingEnabled: true,
          ...body,
        },
      });
      return answer.body;
    },
    newLocation: (name = 'Location') =>
      idOf(server.call(operations.createLocation, { body: { name } })),
    newDashboard: () =>
      idOf(
        server.call(operations.createDashboard, {
          auth: server.administrator,
          body: { name: 'Dashboard' },
        }),
      ),
  };
}

export type AssetCalls = ReturnType<typeof assetCalls>;

/** The bad fields of a refusal, a sentence each. */
export const errorsOf = ({ body }: Answered): string[] =>
  (body.errors ?? []).map(
    ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
  );

export const unknownReference = (path: string, id: string): string =>
  `${path} names nothing that exists in this organization: ${id}`;
