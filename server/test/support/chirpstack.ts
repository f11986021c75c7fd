import {
  Application,
  GetApplicationRequest,
  GetApplicationResponse,
} from '@chirpstack/chirpstack-api/api/application_pb.js';
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
import {
  DeviceProfile,
  GetDeviceProfileRequest,
  GetDeviceProfileResponse,
} from '@chirpstack/chirpstack-api/api/device_profile_pb.js';
import {
  CreateGatewayRequest,
  DeleteGatewayRequest,
  type Gateway,
  GetGatewayRequest,
  GetGatewayResponse,
  UpdateGatewayRequest,
} from '@chirpstack/chirpstack-api/api/gateway_pb.js';
import { MacVersion } from '@chirpstack/chirpstack-api/common/common_pb.js';
import { startHttp } from './http-target.ts';

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
export const CHIRPSTACK_TENANT = '52f14cd4-c6f1-4fbd-8f87-4025e1d49242';
export const CHIRPSTACK_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.chirpstack-token';

type Methods = Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>;

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new GrpcStatus(16, 'authentication failed');
  return value;
};
const isTaken = () => new GrpcStatus(6, 'Object already exists (id: 0102%20)');

/** What ChirpStack does with gateways; a gateway of another tenant is not seen. */
function gatewayMethods(gateways: Map<string, Gateway>): Methods {
  return {
    'GatewayService/Create'(bytes) {
      const gateway = required(CreateGatewayRequest.deserializeBinary(bytes).getGateway());
      if (gateway.getTenantId() !== CHIRPSTACK_TENANT) throw new GrpcStatus(7, 'permission denied');
      if (gateways.has(gateway.getGatewayId())) throw isTaken();
      gateways.set(gateway.getGatewayId(), gateway);
      return EMPTY;
    },
    'GatewayService/Get'(bytes) {
      const found = gateways.get(GetGatewayRequest.deserializeBinary(bytes).getGatewayId());
      const isOurs = found?.getTenantId() === CHIRPSTACK_TENANT;
      const answer = new GetGatewayResponse();
      answer.setGateway(required(isOurs ? found : undefined));
      return answer.serializeBinary();
    },
    'GatewayService/Update'(bytes) {
      const gateway = required(UpdateGatewayRequest.deserializeBinary(bytes).getGateway());
      required(gateways.get(gateway.getGatewayId()));
      gateways.set(gateway.getGatewayId(), gateway);
      return EMPTY;
    },
    'GatewayService/Delete'(bytes) {
      const gatewayId = DeleteGatewayRequest.deserializeBinary(bytes).getGatewayId();
      required(gateways.get(gatewayId));
      gateways.delete(gatewayId);
      return EMPTY;
    },
  };
}

/**
 * The interface of ChirpStack over gRPC-web. Its messages are read and written by ChirpStack's own
 * classes. As there, the key of a tenant is refused for a sensor that does not exist.
 */
export async function startChirpstack() {
  const devices = new Map<string, Device>();
  const keys = new Map<string, DeviceKeys>();
  const gateways = new Map<string, Gateway>();
  const calls: string[] = [];

  const methods: Methods = {
    ...gatewayMethods(gateways),
    'ApplicationService/Get'(bytes) {
      if (GetApplicationRequest.deserializeBinary(bytes).getId() === '') throw isTaken();
      const application = new Application();
      application.setTenantId(CHIRPSTACK_TENANT);
      const answer = new GetApplicationResponse();
      answer.setApplication(application);
      return answer.serializeBinary();
    },
    'DeviceProfileService/Get'(bytes) {
      const id = GetDeviceProfileRequest.deserializeBinary(bytes).getId();
      if (id === 'unknown') throw new GrpcStatus(5, 'Object does not exist (id: unknown)');
      const profile = new DeviceProfile();
      const { LORAWAN_1_0_4, LORAWAN_1_1_0 } = MacVersion;
      profile.setMacVersion(id === 'profile-1-1' ? LORAWAN_1_1_0 : LORAWAN_1_0_4);
      const answer = new GetDeviceProfileResponse();
      answer.setDeviceProfile(profile);
      return answer.serializeBinary();
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
  return { ...http, devices, keys, gateways, calls };
}
