import type { Peers } from '../../../nodes/index.ts';
import { type Bridge, type BridgeDeps, PartitionBridge, SUBSCRIBE_TIMEOUT_MS } from './bridge.ts';
import type { DeviceAddress } from './store.ts';

const METHOD = 'subscribe-device';

/** The bridge of this node. A new Device is subscribed by the node that acts for it. */
export function createBridge(
  deps: BridgeDeps & { readonly peers: Pick<Peers, 'serve' | 'call'> },
): Bridge {
  const { peers, ownership, log } = deps;
  const bridge = new PartitionBridge(deps);
  peers.serve(METHOD, async (body) => {
    const [organizationId = '', deviceId = ''] = body.toString().split('/');
    await bridge.subscribe({ organizationId, deviceId });
    return Buffer.alloc(0);
  });
  const subscribeElsewhere = async (owner: string, device: DeviceAddress) => {
    const body = Buffer.from(`${device.organizationId}/${device.deviceId}`);
    try {
      await peers.call(owner, METHOD, body, SUBSCRIBE_TIMEOUT_MS);
    } catch (error) {
      // The change notification of the Device has the same effect, a little later.
      log.debug({ err: error }, 'another node did not confirm the subscription of a new Device');
    }
  };
  return {
    deviceChanged: (device) => bridge.deviceChanged(device),
    devicesChanged: () => bridge.devicesChanged(),
    async subscribe(device) {
      const owner = ownership.ownerOf(device.deviceId);
      if (owner === null) return;
      if (owner === ownership.nodeId) await bridge.subscribe(device);
      else await subscribeElsewhere(owner, device);
    },
    drained: (partitions) => bridge.drained(partitions),
    sessions: () => bridge.sessions(),
    stop: () => bridge.stop(),
  };
}
