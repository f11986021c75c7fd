import type { DeviceSpec, Fleet, VariableKey, VariableSpec } from '../model/index.ts';
import { everything, MARK, ownByName, type Target } from './own.ts';

/** A Device of the fleet with its ids. */
export interface Member {
  readonly id: string;
  readonly topic: string;
  /** The ids of its Variables by path. */
  readonly variables: ReadonlyMap<string, string>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Members {
  readonly byName: ReadonlyMap<string, Member>;
  /** The credentials of the gateways, by name; they report for the others. */
  readonly credentials: ReadonlyMap<string, Credentials>;
  readonly created: number;
}

export function variableId(members: Members, { device, path }: VariableKey): string {
  const id = members.byName.get(device)?.variables.get(path);
  if (id === undefined) throw new Error(`the fleet has no ${path} of ${device}`);
  return id;
}

/** Finds the Devices and Variables of the fleet, and creates those that are missing. */
export async function provideDevices(
  target: Target,
  fleet: Fleet,
  locations: ReadonlyMap<string, string>,
  onProgress: (done: number) => void,
): Promise<Members> {
  const { client, organizationId } = target;
  const names = new Set(fleet.devices.map(({ name }) => name));
  const found = await ownByName('Device', names, (query) =>
    client.listDevices({ organizationId, query }),
  );
  const byName = new Map<string, Member>();
  const credentials = new Map<string, Credentials>();
  let created = 0;
  for (const spec of fleet.devices) {
    const known = found.get(spec.name);
    const fresh = known ? null : await create(target, spec, locations, byName);
    const id = known?.id ?? fresh?.id ?? '';
    if (fresh) created += 1;
    if (spec.gateway === null) {
      credentials.set(
        spec.name,
        fresh?.credentials ??
          (await client.rotateDeviceCredentials({ organizationId, deviceId: id })),
      );
    }
    const topic = `fieldwatch/${organizationId}/${id}`;
    byName.set(spec.name, { id, topic, variables: await provideVariables(target, id, spec) });
    onProgress(byName.size);
  }
  return { byName, credentials, created };
}

function create(
  { client, organizationId }: Target,
  { name, type, site, gateway }: DeviceSpec,
  locations: ReadonlyMap<string, string>,
  byName: ReadonlyMap<string, Member>,
) {
  return client.createDevice({
    organizationId,
    body: {
      type,
      name,
      description: MARK,
      locationId: locations.get(site) ?? null,
      parentDeviceId: gateway === null ? null : (byName.get(gateway)?.id ?? null),
    },
  });
}

async function provideVariables(
  { client, organizationId }: Target,
  deviceId: string,
  spec: DeviceSpec,
): Promise<Map<string, string>> {
  const found = await everything((query) =>
    client.listDeviceVariables({ organizationId, deviceId, query }),
  );
  const ids = new Map(found.map(({ topicPropertyPath, id }) => [topicPropertyPath, id]));
  for (const variable of spec.variables) {
    if (ids.has(variable.path)) continue;
    const body = bodyOf(variable);
    const { id } = await client.createVariable({ organizationId, deviceId, body });
    ids.set(variable.path, id);
  }
  return ids;
}

function bodyOf({ path, name, type, unit, classificationType }: VariableSpec) {
  return {
    topicPropertyPath: path,
    type,
    name,
    isLoggingEnabled: true,
    ...(unit === null ? {} : { unit }),
    ...(classificationType === null ? {} : { classificationType }),
  };
}
