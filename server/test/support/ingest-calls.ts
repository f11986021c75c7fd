import { operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { type Answered, basic } from './call.ts';
import type { TestOrganization } from './server.ts';
import { variableCalls } from './variable-calls.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Made {
  readonly onlineVariableId: string;
  readonly id: string;
  /** The `Authorization` header of the Device itself. */
  readonly auth: string;
}

/** The calls that tests of ingest make over and over, at one server. */
export function ingestCalls(server: TestOrganization) {
  const variables = variableCalls(server);
  const write = (deviceId: string, body: unknown, auth = server.key): Promise<Answered> =>
    server.call(operations.writeReadings, { auth, params: { deviceId }, body });
  return {
    write,
    payload: (body: unknown, auth: string | undefined = server.key, query = '') =>
      server.call(operations.writePayload, { auth, query, body }),
    async newDevice(fields: Fields = {}): Promise<Made> {
      const { status, body, text } = await server.call(operations.createDevice, {
        body: { type: 'CUSTOM_DEVICE', name: 'Generator', ...fields },
      });
      expect(status, text).toBe(201);
      const { id, onlineVariableId, credentials } = body;
      return { id, onlineVariableId, auth: basic(credentials.username, credentials.password) };
    },
    newVariable: async (
      deviceId: string,
      topicPropertyPath: string,
      fields: Fields = {},
    ): Promise<string> => (await variables.made(deviceId, { topicPropertyPath, ...fields })).id,
    editVariable: variables.update,
    editDevice: (deviceId: string, fields: Fields) =>
      server.call(operations.updateDevice, {
        params: { deviceId },
        body: { type: 'CUSTOM_DEVICE', ...fields },
      }),
    ingestOf: async (deviceId: string) =>
      (await server.call(operations.retrieveDeviceIngest, { params: { deviceId } })).body,
    unmatchedOf: async (deviceId: string, query = '') =>
      (await server.call(operations.listUnmatchedPaths, { params: { deviceId }, query })).body,
  };
}

export type IngestCalls = ReturnType<typeof ingestCalls>;
