import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetApplicationRequest } from '@chirpstack/chirpstack-api/api/application_pb.js';
import {
  CreateDeviceKeysRequest,
  CreateDeviceRequest,
  DeleteDeviceRequest,
  type Device,
  type DeviceKeys,
  GetDeviceRequest,
  GetDeviceResponse,
  UpdateDeviceKeysRequest,
  UpdateDeviceRequest,
} from '@chirpstack/chirpstack-api/api/device_pb.js';

/** A server on this machine that answers by a function, and can be away. */
async function startHttp(
  handle: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void,
) {
  let isAway = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (isAway) response.writeHead(503).end();
    else handle(request, Buffer.concat(chunks), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setAway(away: boolean) {
      isAway = away;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const frame = (flag: number, bytes: Uint8Array) => {
  const header = Buffer.alloc(5);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([header, bytes]);
};

/** A refused call, as ChirpStack answers it. */
class GrpcStatus extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

const EMPTY = new Uint8Array();
export const CHIRPSTACK_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.chirpstack-token';

/**
 * The interface of ChirpStack over gRPC-web. Its messages are read and written by ChirpStack's own
 * classes. As there, the key of a tenant is refused for a sensor that does not exist.
 */
export async function startChirpstack() {
  const devices = new Map<string, Device>();
  const keys = new Map<string, DeviceKeys>();
  const calls: string[] = [];

  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new GrpcStatus(16, 'authentication failed');
    return value;
  };
  const isTaken = () => new GrpcStatus(6, 'Object already exists (id: 0102%20)');
  const methods: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
    'ApplicationService/Get'(bytes) {
      if (GetApplicationRequest.deserializeBinary(bytes).getId() === '') throw isTaken();
      return EMPTY;
    },
    'DeviceService/Create'(bytes) {
      const device = required(CreateDeviceRequest.deserializeBinary(bytes).getDevice());
      if (devices.has(device.getDevEui())) throw isTaken();
      if (device.getDeviceProfileId() === 'unknown') {
        throw new GrpcStatus(5, 'Object does not exist (id: unknown)');
      }
      devices.set(device.getDevEui(), device);
      return EMPTY;
    },
    'DeviceService/Get'(bytes) {
      const found = devices.get(GetDeviceRequest.deserializeBinary(bytes).getDevEui());
      const answer = new GetDeviceResponse();
      answer.setDevice(required(found));
      return answer.serializeBinary();
    },
    'DeviceService/Update'(bytes) {
      const device = required(UpdateDeviceRequest.deserializeBinary(bytes).getDevice());
      required(devices.get(device.getDevEui()));
      devices.set(device.getDevEui(), device);
      return EMPTY;
    },
    'DeviceService/CreateKeys'(bytes) {
      const given = required(CreateDeviceKeysRequest.deserializeBinary(bytes).getDeviceKeys());
      required(devices.get(given.getDevEui()));
      if (keys.has(given.getDevEui())) throw isTaken();
      keys.set(given.getDevEui(), given);
      return EMPTY;
    },
    'DeviceService/UpdateKeys'(bytes) {
      const given = required(UpdateDeviceKeysRequest.deserializeBinary(bytes).getDeviceKeys());
      required(keys.get(given.getDevEui()));
      keys.set(given.getDevEui(), given);
      return EMPTY;
    },
    'DeviceService/Delete'(bytes) {
      const devEui = DeleteDeviceRequest.deserializeBinary(bytes).getDevEui();
      required(devices.get(devEui));
      devices.delete(devEui);
      keys.delete(devEui);
      return EMPTY;
    },
  };

  const http = await startHttp(({ url = '', headers }, body, response) => {
    const method = url.replace('/api.', '');
    calls.push(method);
    response.setHeader('content-type', 'application/grpc-web+proto');
    try {
      if (headers.authorization !== `Bearer ${CHIRPSTACK_TOKEN}`) required(undefined);
      if (headers['content-type'] !== 'application/grpc-web+proto') throw new Error('not gRPC-web');
      const message = body.subarray(5);
      if (body.readUInt32BE(1) !== message.length) throw new Error('another length');
      const answer = required(methods[method])(message);
      const trailers = frame(0x80, Buffer.from('grpc-status:0\r\n'));
      response.end(Buffer.concat([frame(0, answer), trailers]));
    } catch (error) {
      // Without a message, the status is in the headers.
      const code = error instanceof GrpcStatus ? error.code : 13;
      const text = error instanceof Error ? error.message : '';
      response.writeHead(200, { 'grpc-status': `${code}`, 'grpc-message': text }).end();
    }
  });
  return { ...http, devices, keys, calls };
}

export const THE_THINGS_TOKEN = 'NNSXS.THE-THINGS-TOKEN';

interface EndDevice {
  readonly ids: { readonly device_id: string; readonly dev_eui: string };
  readonly frequency_plan_id?: string;
  readonly root_keys?: { readonly app_key: { readonly key: string } };
  readonly [field: string]: unknown;
}

interface EndDeviceRequest {
  readonly end_device: EndDevice;
  readonly field_mask: { readonly paths: readonly string[] };
}

/** A gateway that the key has access to, by its id. */
interface TestGateway {
  readonly eui: string;
  readonly gateway_server_address?: string;
  stats?: { connected_at?: string; disconnected_at?: string };
}

/** What the identity server and the gateway server answer for gateways. */
function gatewayAnswer(
  gateways: ReadonlyMap<string, TestGateway>,
  path: string,
  body: EndDevice,
): [status: number, value: object] {
  if (path === 'gs/gateways/connection/stats') {
    const ids: string[] = body.gateway_ids.map(({ gateway_id }: EndDevice) => gateway_id);
    if (ids.length < 1 || ids.length > 100) return [400, { message: 'gateway_ids: 1 to 100' }];
    if (!ids.every((id) => gateways.has(id))) return [403, {}];
    const entries = ids.map((id) => [id, gateways.get(id)?.stats]).filter(([, stats]) => stats);
    return [200, { entries: Object.fromEntries(entries) }];
  }
  const query = new URLSearchParams(path.split('?')[1]);
  const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
  const listed = [...gateways].map(([gateway_id, { eui, gateway_server_address }]) => ({
    ids: { gateway_id, eui },
    gateway_server_address,
  }));
  return [200, { gateways: listed.slice((page - 1) * limit, page * limit) }];
}

/** The registries of The Things Stack, each of which keeps the fields of its mask. */
export async function startTheThingsStack() {
  const registries: Record<string, Map<string, EndDevice>> = {
    ...{ is: new Map(), js: new Map(), ns: new Map(), as: new Map() },
  };
  const calls: string[] = [];
  const gateways = new Map<string, TestGateway>();
  /** Sensors of other applications, by EUI. */
  const taken = new Map<string, string>();

  const http = await startHttp(({ method = '', url = '', headers }, body, response) => {
    const [path = ''] = url.split('?');
    calls.push(`${method} ${path.replace('/api/v3/', '')}`);
    const answer = (status: number, value: object = {}) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (headers.authorization !== `Bearer ${THE_THINGS_TOKEN}`) return answer(403);
    const [, gatewayPath] = /^\/api\/v3\/((?:gs\/)?gateways.*)$/.exec(url) ?? [];
    if (gatewayPath !== undefined) {
      const given = body.length === 0 ? {} : JSON.parse(body.toString());
      const [status, value] = gatewayAnswer(gateways, gatewayPath, given);
      return answer(status, value);
    }
    if (path === '/api/v3/configuration/frequency-plans') {
      return answer(200, {
        frequency_plans: [{ id: 'EU_863_870_TTN' }, { id: 'US_902_928_FSB_2' }],
      });
    }
    const [, name = 'is', id = ''] =
      /^\/api\/v3\/(?:(js|ns|as)\/)?applications\/plant\/devices\/?(.*)$/.exec(path) ?? [];
    const registry = registries[name] ?? new Map();
    if (method === 'DELETE') return answer(registry.delete(id) ? 200 : 404);
    if (method === 'GET') return answer(registry.has(id) ? 200 : 404, registry.get(id));
    const request: EndDeviceRequest = JSON.parse(body.toString());
    const { end_device: device, field_mask } = request;
    const { device_id, dev_eui } = device.ids;
    if (method === 'POST') {
      const application = taken.get(dev_eui);
      const message = `an end device with DevEUI ${dev_eui} is registered in ${application}`;
      if (application !== undefined || registry.has(device_id)) return answer(409, { message });
    }
    if (device.frequency_plan_id && !/^(EU_863_870_TTN)$/.test(device.frequency_plan_id)) {
      return answer(400, { message: 'error:frequencyplans:not_found' });
    }
    const stored = { ...registry.get(device_id), ...device, mask: field_mask.paths };
    registry.set(device_id, stored);
    return answer(200, device);
  });
  return { ...http, registries, calls, taken, gateways };
}
