import { bytesIn, decodeProtobuf, encodeProtobuf, partsIn } from '../../protobuf/index.ts';
import {
  GATEWAY_MARK,
  type GatewayRegistration,
  type Registrar,
  type RegistrarDeps,
  registeredElsewhere,
} from '../registrar.ts';
import { Calls, isRefusal } from './calls.ts';
import { GRPC } from './grpc-web.ts';

/** The numbers of the fields of `Gateway`, as ChirpStack's `gateway.proto` has them. */
const GATEWAY = { gatewayId: 1, name: 2, tenantId: 5, tags: 6, statsInterval: 8 } as const;
const APPLICATION_TENANT = 4;
/** The default of ChirpStack, in seconds. */
const STATS_INTERVAL = 30;
const MAX_NAME_LENGTH = 100;

/** Gateways of ChirpStack v4, which belong to the tenant of the application. */
export function createGatewayCalls(
  deps: RegistrarDeps,
): Pick<Registrar, 'registerGateway' | 'removeGateway'> {
  const { applicationId, networkId } = deps;
  const calls = new Calls(deps, 'gateway');

  async function tenantOf(): Promise<string> {
    const answer = await calls.send('ApplicationService/Get', { 1: applicationId });
    calls.requireDone(answer);
    const application = bytesIn(decodeProtobuf(answer.message), 1);
    return bytesIn(decodeProtobuf(application), APPLICATION_TENANT).toString();
  }

  /** The stored message `Gateway`, and its tenant; null where this key may not see it. */
  async function find(eui: string) {
    const answer = await calls.send('GatewayService/Get', { 1: eui.toLowerCase() });
    if (answer.code === GRPC.NOT_FOUND || isRefusal(answer)) return null;
    calls.requireDone(answer);
    const gateway = bytesIn(decodeProtobuf(answer.message), 1);
    return { gateway, tenant: bytesIn(decodeProtobuf(gateway), GATEWAY.tenantId).toString() };
  }

  async function takeOver({ eui, name, hasNewFields }: GatewayRegistration, tenant: string) {
    const found = await find(eui);
    if (found?.tenant !== tenant) throw registeredElsewhere('gateway', elsewhere(found?.tenant));
    if (!hasNewFields) return;
    const renamed = encodeProtobuf({ [GATEWAY.name]: name.slice(0, MAX_NAME_LENGTH) });
    const changed = Buffer.concat([found.gateway, renamed]);
    calls.requireDone(await calls.send('GatewayService/Update', { 1: changed }));
  }

  return {
    async registerGateway(gateway) {
      const tenant = await tenantOf();
      const message = encodeProtobuf({
        [GATEWAY.gatewayId]: gateway.eui.toLowerCase(),
        [GATEWAY.name]: gateway.name.slice(0, MAX_NAME_LENGTH),
        [GATEWAY.tenantId]: tenant,
        [GATEWAY.tags]: encodeProtobuf({ 1: GATEWAY_MARK, 2: networkId }),
        [GATEWAY.statsInterval]: STATS_INTERVAL,
      });
      const created = await calls.send('GatewayService/Create', { 1: message });
      if (created.code === GRPC.ALREADY_EXISTS) await takeOver(gateway, tenant);
      else calls.requireDone(created);
    },
    async removeGateway(eui) {
      // The key of a tenant is refused for a gateway that does not exist: is it refused for all?
      const tenant = await tenantOf();
      const found = await find(eui);
      if (found?.tenant !== tenant || markOf(found.gateway) !== networkId) return;
      const deleted = await calls.send('GatewayService/Delete', { 1: eui.toLowerCase() });
      if (deleted.code !== GRPC.NOT_FOUND) calls.requireDone(deleted);
    },
  };
}

/** The network of Fieldwatch that has registered the gateway. */
function markOf(gateway: Buffer): string | undefined {
  const tags = partsIn(gateway, GATEWAY.tags).map(decodeProtobuf);
  const mark = tags.find((tag) => bytesIn(tag, 1).toString() === GATEWAY_MARK);
  return mark && bytesIn(mark, 2).toString();
}

const elsewhere = (tenant: string | undefined) =>
  tenant
    ? `by the tenant ${tenant} of the network server`
    : 'by a tenant that this API key may not see';
