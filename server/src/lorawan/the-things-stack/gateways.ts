import { call, type Fields, fieldsIn, type TheThingsStackServer } from './client.ts';

/** A gateway as The Things Stack names it. */
export interface KnownGateway {
  readonly gatewayId: string;
  /** Upper case. */
  readonly eui: string;
  /** Another cluster does not know whether it is connected. */
  readonly isOfCluster: boolean;
}

/** Small enough for one answer. */
const PAGE_SIZE = 100;
const MAX_PAGES = 100;
const BATCH_SIZE = 100;
const STATS = ['connected_at', 'disconnected_at', 'last_status_received_at'];

/** The gateways with an EUI that the key has access to. The key of an application has access to none. */
export async function listGateways(server: TheThingsStackServer): Promise<KnownGateway[]> {
  const { hostname } = new URL(server.url);
  const found: KnownGateway[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = `field_mask=ids,gateway_server_address&limit=${PAGE_SIZE}&page=${page}`;
    const { gateways } = await call(server, 'GET', `gateways?${query}`);
    const listed = Array.isArray(gateways) ? gateways.map(fieldsIn) : [];
    found.push(...listed.flatMap((gateway) => knownOf(gateway, hostname)));
    if (listed.length < PAGE_SIZE) break;
  }
  return found;
}

function knownOf({ ids, gateway_server_address }: Fields, hostname: string): KnownGateway[] {
  const { gateway_id, eui } = fieldsIn(ids);
  if (typeof gateway_id !== 'string' || typeof eui !== 'string') return [];
  const isOfCluster = isAt(gateway_server_address, hostname);
  return [{ gatewayId: gateway_id, eui: eui.toUpperCase(), isOfCluster }];
}

/** The address may have a scheme and a port. Without one it is of the cluster that it is asked at. */
function isAt(address: unknown, hostname: string): boolean {
  if (typeof address !== 'string' || address === '') return true;
  const [host] = address.replace(/^[a-z]+:\/\//, '').split(':');
  return host === hostname;
}

/** Those of the gateways that are connected, by their ids. */
export async function connectedGateways(
  server: TheThingsStackServer,
  gatewayIds: readonly string[],
): Promise<Set<string>> {
  const connected = new Set<string>();
  for (let from = 0; from < gatewayIds.length; from += BATCH_SIZE) {
    const batch = gatewayIds.slice(from, from + BATCH_SIZE);
    const { entries } = await call(server, 'POST', 'gs/gateways/connection/stats', {
      gateway_ids: batch.map((gateway_id) => ({ gateway_id })),
      field_mask: { paths: STATS },
    });
    const stats = fieldsIn(entries);
    for (const id of batch) if (isConnected(fieldsIn(stats[id]))) connected.add(id);
  }
  return connected;
}

/** A gateway that is not connected has no entry, or one with the time at which it was lost. */
export function isConnected({ connected_at, disconnected_at }: Fields): boolean {
  if (typeof connected_at !== 'string') return false;
  if (typeof disconnected_at !== 'string') return true;
  return Date.parse(connected_at) > Date.parse(disconnected_at);
}
