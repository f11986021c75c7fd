import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Lorawan } from './lorawan.ts';

export function lorawanRoutes(serve: Serve, { networks, sensors, receive }: Lorawan): void {
  serve(operations.listLorawanNetworks, networks.list);
  serve(operations.retrieveLorawanNetwork, networks.retrieve);
  serve(operations.createLorawanNetwork, networks.create);
  serve(operations.updateLorawanNetwork, networks.update);
  serve(operations.deleteLorawanNetwork, networks.delete);
  serve(operations.listUnknownLorawanDevices, networks.listUnknown);
  serve(operations.receiveLorawanEvent, receive);
  serve(operations.retrieveLorawanDevice, sensors.retrieve);
  serve(operations.updateLorawanDevice, sensors.update);
}
