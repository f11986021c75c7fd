import { startHttp } from './http-target.ts';

export const THE_THINGS_TOKEN = 'NNSXS.THE-THINGS-TOKEN';

interface FieldMask {
  readonly field_mask: { readonly paths: readonly string[] };
}

interface EndDevice {
  readonly ids: { readonly device_id: string; readonly dev_eui: string };
  readonly frequency_plan_id?: string;
  readonly root_keys?: { readonly app_key: { readonly key: string } };
  readonly [field: string]: unknown;
}

interface EndDeviceRequest extends FieldMask {
  readonly end_device: EndDevice;
}

interface GatewayIds {
  readonly gateway_id: string;
  readonly eui: string;
}

interface GatewayRequest extends FieldMask {
  readonly gateway: Omit<TestGateway, 'eui'> & { readonly ids: GatewayIds };
  readonly gateway_ids: readonly GatewayIds[];
}

/** A gateway that the key has access to, by its id. */
interface TestGateway {
  eui?: string | undefined;
  /** Of somebody else. */
  isHidden?: boolean;
  name?: string;
  gateway_server_address?: string;
  attributes?: Record<string, string>;
  stats?: { connected_at?: string; disconnected_at?: string };
}

type GatewayAnswer = [status: number, value?: object];

/** The gateways of an organization, at the identity server and the gateway server. */
function createGateways() {
  const gateways = new Map<string, TestGateway>();
  const deleted = new Map<string, TestGateway>();

  function statsOf(ids: readonly string[]): GatewayAnswer {
    if (ids.length < 1 || ids.length > 100) return [400, { message: 'gateway_ids: 1 to 100' }];
    if (!ids.every((id) => gateways.has(id))) return [403];
    const entries = ids.map((id) => [id, gateways.get(id)?.stats]).filter(([, stats]) => stats);
    return [200, { entries: Object.fromEntries(entries) }];
  }

  function listed(query: URLSearchParams): GatewayAnswer {
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
    const own = [...gateways].filter(([, { isHidden }]) => !isHidden);
    const all = own.map(([gateway_id, { eui, gateway_server_address }]) => ({
      ids: { gateway_id, eui },
      gateway_server_address,
    }));
    return [200, { gateways: all.slice((page - 1) * limit, page * limit) }];
  }

  /** As there, the id of a deleted gateway stays in use, and its EUI does not. */
  function create({ ids, ...fields }: GatewayRequest['gateway']): GatewayAnswer {
    const { gateway_id, eui } = ids;
    const taken = [...gateways].find(([, other]) => other.eui === eui)?.[0];
    if (taken) return [409, { message: `a gateway with EUI ${eui} is registered as ${taken}` }];
    if (gateways.has(gateway_id) || deleted.has(gateway_id)) return [409, { message: 'id taken' }];
    gateways.set(gateway_id, { eui, ...fields });
    return [200, {}];
  }

  function one(method: string, id: string, request: GatewayRequest): GatewayAnswer {
    const { gateway, field_mask } = request;
    const found = gateways.get(id);
    if (!found) return [404];
    if (method === 'PUT') {
      for (const path of field_mask.paths) {
        if (path === 'ids.eui') found.eui = gateway.ids.eui;
        else Object.assign(found, { [path]: gateway[path as keyof typeof gateway] });
      }
    }
    if (method !== 'DELETE') return [200, found];
    gateways.delete(id);
    deleted.set(id, { ...found, eui: undefined });
    return [200, {}];
  }

  function answer(method: string, path: string, body: GatewayRequest): GatewayAnswer | null {
    const [route = '', query] = path.split('?');
    if (route === 'auth_info') {
      const entity_ids = { organization_ids: { organization_id: 'works' } };
      return [200, { api_key: { entity_ids } }];
    }
    if (route === 'gs/gateways/connection/stats') {
      return statsOf(body.gateway_ids.map(({ gateway_id }) => gateway_id));
    }
    if (route === 'organizations/works/gateways') return create(body.gateway);
    if (route === 'gateways') return listed(new URLSearchParams(query));
    const [, id, restored] = /^gateways\/([^/]+)(\/restore)?$/.exec(route) ?? [];
    if (id === undefined) return null;
    if (restored === undefined) return one(method, id, body);
    const found = deleted.get(id);
    if (!found) return [404];
    deleted.delete(id);
    gateways.set(id, found);
    return [200, {}];
  }

  return { gateways, answer };
}

/** The registries of The Things Stack, each of which keeps the fields of its mask. */
export async function startTheThingsStack() {
  const registries: Record<string, Map<string, EndDevice>> = {
    ...{ is: new Map(), js: new Map(), ns: new Map(), as: new Map() },
  };
  const calls: string[] = [];
  const { gateways, answer: gatewayAnswer } = createGateways();
  /** Sensors of other applications, by EUI. */
  const taken = new Map<string, string>();

  const http = await startHttp(({ method = '', url = '', headers }, body, response) => {
    const [path = ''] = url.split('?');
    calls.push(`${method} ${path.replace('/api/v3/', '')}`);
    const answer = (status: number, value: object = {}) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (headers.authorization !== `Bearer ${THE_THINGS_TOKEN}`) return answer(403);
    const given = body.length === 0 ? {} : JSON.parse(body.toString());
    const answered = gatewayAnswer(method, url.replace('/api/v3/', ''), given);
    if (answered) return answer(...answered);
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
    const { end_device: device, field_mask }: EndDeviceRequest = given;
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
