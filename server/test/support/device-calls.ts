import { operations } from '@fieldwatch/contract';
import type { TestOrganization } from './server.ts';

export type Fields = Record<string, unknown>;

let eui = 0;

/** Another EUI each time. */
export function nextEui(): string {
  eui += 1;
  return eui.toString(16).padStart(16, '0');
}

export const gateway = (configuration: Fields = {}) => ({
  type: 'LORAWAN_GATEWAY_EDGE',
  configuration: { gatewayEui: nextEui(), rfRegion: 'EU868', ...configuration },
});

export const sensor = (configuration: Fields = {}) => ({
  type: 'LORAWAN_DEVICE',
  configuration: {
    devEui: nextEui(),
    appEui: 'ab'.repeat(8),
    appKey: 'cd'.repeat(16),
    ...configuration,
  },
});

/** What tests do with Devices, again and again. */
export const createDevice = (server: TestOrganization, body: Fields = {}) =>
  server.call(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Device', ...body },
  });

export const updateDevice = (server: TestOrganization, id: string, body: Fields) =>
  server.call(operations.updateDevice, {
    params: { deviceId: id },
    body: { type: 'CUSTOM_DEVICE', ...body },
  });

export const retrieveDevice = (server: TestOrganization, id: string, auth = server.key) =>
  server.call(operations.retrieveDevice, { auth, params: { deviceId: id } });

export const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);
