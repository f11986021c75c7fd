import { bytesIn, decodeProtobuf, encodeProtobuf, numberIn } from '../../protobuf/index.ts';
import {
  ProvisioningError,
  type Registrar,
  type RegistrarDeps,
  type Registration,
  registeredElsewhere,
} from '../registrar.ts';
import { Calls, isRefusal } from './calls.ts';
import { createGatewayCalls } from './gateways.ts';
import { GRPC } from './grpc-web.ts';

/** The numbers of the fields of `Device`, as ChirpStack's `device.proto` has them. */
const DEVICE = { devEui: 1, name: 2, applicationId: 4, deviceProfileId: 5, joinEui: 10 } as const;
const KEYS = { devEui: 1, nwkKey: 2 } as const;
const PROFILE_MAC_VERSION = 5;
/** `LORAWAN_1_1_0` of `MacVersion`. */
const LORAWAN_1_1 = 5;
const MAX_NAME_LENGTH = 100;

/** ChirpStack v4, whose sensors of LoRaWAN 1.0.x have their AppKey as `nwk_key`. */
export function createChirpstackRegistrar(deps: RegistrarDeps): Registrar {
  const { applicationId } = deps;
  const calls = new Calls(deps, 'sensor');

  /** The stored message `Device`, and its application; null where this key may not see it. */
  async function find(devEui: string) {
    const answer = await calls.send('DeviceService/Get', { 1: devEui.toLowerCase() });
    if (answer.code === GRPC.NOT_FOUND || isRefusal(answer)) return null;
    calls.requireDone(answer);
    const device = bytesIn(decodeProtobuf(answer.message), 1);
    const application = bytesIn(decodeProtobuf(device), DEVICE.applicationId).toString();
    return { device, application };
  }

  /** A sensor that exists already is taken over where it is of the same application. */
  async function takeOver(sensor: Registration): Promise<void> {
    const found = await find(sensor.devEui);
    if (found?.application !== applicationId)
      throw registeredElsewhere('sensor', elsewhere(found?.application));
    if (!sensor.hasNewFields) return;
    const changed = Buffer.concat([found.device, deviceOf(sensor, applicationId)]);
    calls.requireDone(await calls.send('DeviceService/Update', { 1: changed }), [sensor.appKey]);
  }

  async function writeKeys({ devEui, appKey, hasNewKeys }: Registration): Promise<void> {
    const keys = encodeProtobuf({
      [KEYS.devEui]: devEui.toLowerCase(),
      [KEYS.nwkKey]: appKey.toLowerCase(),
    });
    const created = await calls.send('DeviceService/CreateKeys', { 1: keys });
    if (created.code !== GRPC.ALREADY_EXISTS) calls.requireDone(created, [appKey]);
    else if (hasNewKeys)
      calls.requireDone(await calls.send('DeviceService/UpdateKeys', { 1: keys }), [appKey]);
  }

  /** A sensor of LoRaWAN 1.1 has two root keys, and a Device has one: it could never join. */
  async function requireOneKey({ deviceProfileId }: Registration): Promise<void> {
    const answer = await calls.send('DeviceProfileService/Get', { 1: deviceProfileId });
    if (answer.code !== GRPC.OK) return;
    const profile = decodeProtobuf(bytesIn(decodeProtobuf(answer.message), 1));
    if (numberIn(profile, PROFILE_MAC_VERSION) < LORAWAN_1_1) return;
    throw new ProvisioningError(
      `The device profile ${deviceProfileId} is of LoRaWAN 1.1, whose sensors have two root keys: choose one of LoRaWAN 1.0, or register the sensor by hand.`,
      true,
    );
  }

  return {
    ...createGatewayCalls(deps),
    async register(sensor) {
      await requireOneKey(sensor);
      const device = deviceOf(sensor, applicationId);
      const created = await calls.send('DeviceService/Create', { 1: device });
      if (created.code === GRPC.ALREADY_EXISTS) await takeOver(sensor);
      else calls.requireDone(created, [sensor.appKey]);
      await writeKeys(sensor);
    },
    async remove(devEui) {
      const found = await find(devEui);
      if (found === null) {
        // The key of a tenant is refused for a sensor that does not exist: is it refused for all?
        calls.requireDone(await calls.send('ApplicationService/Get', { 1: applicationId }));
        return;
      }
      if (found.application !== applicationId) return;
      const deleted = await calls.send('DeviceService/Delete', { 1: devEui.toLowerCase() });
      if (deleted.code !== GRPC.NOT_FOUND) calls.requireDone(deleted);
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

const elsewhere = (application: string | undefined) =>
  application
    ? `in the application ${application} of the network server`
    : 'in an application that this API key may not see';
