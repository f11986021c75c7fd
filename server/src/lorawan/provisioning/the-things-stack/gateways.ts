import {
  call,
  type Fields,
  fieldsIn,
  type KnownGateway,
  listGateways,
  RefusedCall,
} from '../../the-things-stack/index.ts';
import {
  GATEWAY_MARK,
  type GatewayRegistration,
  ProvisioningError,
  type Registrar,
  type RegistrarDeps,
  registeredElsewhere,
} from '../registrar.ts';

export interface GatewayDeps extends RegistrarDeps {
  readonly frequencyPlanId: string;
}

const MAX_NAME_LENGTH = 50;
const CREATED = [
  ...['ids.eui', 'name', 'frequency_plan_ids', 'gateway_server_address'],
  ...['enforce_duty_cycle', 'attributes'],
];

/** The id of a gateway at The Things Stack, as its console makes it. */
const gatewayIdOf = (eui: string) => `eui-${eui.toLowerCase()}`;

const hasStatus = (error: unknown, ...statuses: readonly number[]) =>
  error instanceof RefusedCall && statuses.includes(error.status);

/** Gateways of The Things Stack v3, which belong to the organization or user of the key. */
export function createGatewayCalls(
  deps: GatewayDeps,
): Pick<Registrar, 'registerGateway' | 'removeGateway'> {
  const find = async (eui: string) => (await listGateways(deps)).find((each) => each.eui === eui);

  async function create(gateway: GatewayRegistration): Promise<void> {
    const owner = await ownerOf(deps);
    try {
      const body = { gateway: gatewayOf(gateway, deps) };
      await call(deps, 'POST', `${owner}/gateways`, body);
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.status !== 409) throw error;
      await restore(deps, gateway, error);
    }
  }

  async function rename({ gatewayId }: KnownGateway, { name }: GatewayRegistration) {
    const gateway = { ids: { gateway_id: gatewayId }, name: name.slice(0, MAX_NAME_LENGTH) };
    const body = { gateway, field_mask: { paths: ['name'] } };
    await call(deps, 'PUT', `gateways/${gatewayId}`, body);
  }

  async function remove({ gatewayId }: KnownGateway): Promise<void> {
    const found = await call(deps, 'GET', `gateways/${gatewayId}?field_mask=attributes`);
    if (fieldsIn(found.attributes)[GATEWAY_MARK] !== deps.networkId) return;
    await call(deps, 'DELETE', `gateways/${gatewayId}`);
  }

  return {
    registerGateway: (gateway) =>
      explained(async () => {
        const known = await find(gateway.eui);
        if (!known) await create(gateway);
        else if (gateway.hasNewFields) await rename(known, gateway);
      }),
    removeGateway: (eui) =>
      explained(async () => {
        const known = await find(eui);
        if (known) await remove(known);
      }),
  };
}

function gatewayOf(
  { eui, name }: GatewayRegistration,
  { url, frequencyPlanId, networkId }: GatewayDeps,
): Fields {
  return {
    ids: { gateway_id: gatewayIdOf(eui), eui },
    name: name.slice(0, MAX_NAME_LENGTH),
    frequency_plan_ids: [frequencyPlanId],
    gateway_server_address: new URL(url).hostname,
    enforce_duty_cycle: true,
    attributes: { [GATEWAY_MARK]: networkId },
  };
}

/** Where gateways of the key are created. */
async function ownerOf(deps: GatewayDeps): Promise<string> {
  const { api_key } = await call(deps, 'GET', 'auth_info');
  const { organization_ids, user_ids } = fieldsIn(fieldsIn(api_key).entity_ids);
  const { organization_id } = fieldsIn(organization_ids);
  const { user_id } = fieldsIn(user_ids);
  if (typeof organization_id === 'string') return `organizations/${organization_id}`;
  if (typeof user_id === 'string') return `users/${user_id}`;
  throw new ProvisioningError(
    'The API key of the network is that of an application: gateways need one of an organization or a user.',
    true,
  );
}

/** The id of a gateway that was deleted stays in use: it is restored, without its EUI. */
async function restore(
  deps: GatewayDeps,
  gateway: GatewayRegistration,
  conflict: RefusedCall,
): Promise<void> {
  const path = `gateways/${gatewayIdOf(gateway.eui)}`;
  try {
    await call(deps, 'POST', `${path}/restore`, {});
  } catch (error) {
    if (!hasStatus(error, 400, 403, 404, 409)) throw error;
    throw registeredElsewhere('gateway', 'elsewhere', conflict.message);
  }
  const body = { gateway: gatewayOf(gateway, deps), field_mask: { paths: CREATED } };
  await call(deps, 'PUT', path, body);
}

async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    const { status, message } = error;
    if (status === 401 || status === 403) {
      const needed = 'one of an organization or a user that may create and edit gateways';
      throw new ProvisioningError(`The network server refused the API key: give ${needed}.`, true);
    }
    const isFinal = status < 500 && status !== 429 && status !== 408;
    const what = isFinal ? 'refused the gateway' : 'failed';
    throw new ProvisioningError(`The network server ${what} (${status}): ${message}`, isFinal);
  }
}
