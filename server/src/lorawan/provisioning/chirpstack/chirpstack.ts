import { bytesIn, decodeProtobuf, encodeProtobuf } from '../../protobuf/index.ts';
import { shownAnswer } from '../../shown-answer.ts';
import {
  ProvisioningError,
  type Registrar,
  type RegistrarDeps,
  type Registration,
  refusedToken,
} from '../registrar.ts';
import { callGrpc, GRPC, type GrpcAnswer } from './grpc-web.ts';

/** The numbers of the fields of `Device`, as ChirpStack's `device.proto` has them. */
const DEVICE = { devEui: 1, name: 2, applicationId: 4, deviceProfileId: 5, joinEui: 10 } as const;
const KEYS = { devEui: 1, nwkKey: 2 } as const;
const MAX_NAME_LENGTH = 100;

/** Codes with which a call ends that another attempt would not change. */
const FINAL_CODES: readonly number[] = [
  GRPC.INVALID_ARGUMENT,
  GRPC.NOT_FOUND,
  GRPC.ALREADY_EXISTS,
  GRPC.FAILED_PRECONDITION,
];

const isRefusal = ({ code }: GrpcAnswer) =>
  code === GRPC.UNAUTHENTICATED || code === GRPC.PERMISSION_DENIED;

/** ChirpStack v4, whose sensors of LoRaWAN 1.0.x have their AppKey as `nwk_key`. */
export function createChirpstackRegistrar(deps: RegistrarDeps): Registrar {
  const { applicationId, token } = deps;

  const call = (method: string, fields: Readonly<Record<number, string | Buffer>>) =>
    callGrpc(deps, `/api.${method}`, encodeProtobuf(fields));

  function requireDone(answer: GrpcAnswer, secrets: readonly string[]): void {
    if (answer.code === GRPC.OK) return;
    if (isRefusal(answer)) throw refusedToken();
    const text = shownAnswer(answer.text, [token, ...secrets]);
    const isFinal = FINAL_CODES.includes(answer.code);
    const what = isFinal ? 'refused the sensor' : `failed (${answer.code})`;
    throw new ProvisioningError(`The network server ${what}: ${text}`, isFinal);
  }

  /** The stored message `Device`, and its application; null where this key may not see it. */
  async function find(devEui: string) {
    const answer = await call('DeviceService/Get', { 1: devEui.toLowerCase() });
    if (answer.code === GRPC.NOT_FOUND || isRefusal(answer)) return null;
    requireDone(answer, []);
    const device = bytesIn(decodeProtobuf(answer.message), 1);
    const application = bytesIn(decodeProtobuf(device), DEVICE.applicationId).toString();
    return { device, application };
  }

  /** A sensor that exists already is taken over where it is of the same application. */
  async function takeOver(sensor: Registration): Promise<void> {
    const found = await find(sensor.devEui);
    if (found?.application !== applicationId) throw takenElsewhere(found?.application);
    if (!sensor.hasNewFields) return;
    const changed = Buffer.concat([found.device, deviceOf(sensor, applicationId)]);
    requireDone(await call('DeviceService/Update', { 1: changed }), [sensor.appKey]);
  }

  async function writeKeys({ devEui, appKey, hasNewKeys }: Registration): Promise<void> {
    const keys = encodeProtobuf({
      [KEYS.devEui]: devEui.toLowerCase(),
      [KEYS.nwkKey]: appKey.toLowerCase(),
    });
    const created = await call('DeviceService/CreateKeys', { 1: keys });
    if (created.code !== GRPC.ALREADY_EXISTS) requireDone(created, [appKey]);
    else if (hasNewKeys) requireDone(await call('DeviceService/UpdateKeys', { 1: keys }), [appKey]);
  }

  return {
    async register(sensor) {
      const device = deviceOf(sensor, applicationId);
      const created = await call('DeviceService/Create', { 1: device });
      if (created.code === GRPC.ALREADY_EXISTS) await takeOver(sensor);
      else requireDone(created, [sensor.appKey]);
      await writeKeys(sensor);
    },
    async remove(devEui) {
      const found = await find(devEui);
      if (found === null) {
        // The key of a tenant is refused for a sensor that does not exist: is it refused for all?
        requireDone(await call('ApplicationService/Get', { 1: applicationId }), []);
        return;
      }
      if (found.application !== applicationId) return;
      const deleted = await call('DeviceService/Delete', { 1: devEui.toLowerCase() });
      if (deleted.code !== GRPC.NOT_FOUND) requireDone(deleted, []);
    },
  };
}

function deviceOf({ devEui, joinEui, name, deviceProfileId }: Registration, applicationId: string) {
  return encodeProtobuf({
    [DEVICE.devEui]: devEui.toLowerCase(),
    [DEVICE.name]: name.slice(0, MAX_NAME_LENGTH),
    [DEVICE.applicationId]: applicationId,
    [DEVICE.deviceProfileId]: deviceProfileId,
    [DEVICE.joinEui]: joinEui.toLowerCase(),
  });
}

function takenElsewhere(application: string | undefined): ProvisioningError {
  const where = application
    ? `in the application ${application} of the network server`
    : 'in an application that this API key may not see';
  return new ProvisioningError(
    `A sensor with this EUI is registered ${where}: remove it there first.`,
    true,
  );
}
