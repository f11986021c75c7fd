import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Devices } from './deps.ts';

export function deviceRoutes(serve: Serve, devices: Devices): void {
  serve(operations.listDevices, devices.list, { isCached: true });
  serve(operations.searchDevices, devices.search);
  serve(operations.listDevicesByCursor, devices.listByCursor);
  serve(operations.retrieveDevice, devices.retrieve);
  serve(operations.createDevice, devices.create);
  serve(operations.updateDevice, devices.update);
  serve(operations.deleteDevice, devices.delete);
  serve(operations.archiveDevice, devices.archive);
  serve(operations.restoreDevice, devices.restore);
  serve(operations.rotateDeviceCredentials, devices.rotateCredentials);
  serve(operations.listOnlineWindows, devices.listOnlineWindows);
  serve(operations.retrieveOnlineWindow, devices.retrieveOnlineWindow);
  serve(operations.updateOnlineWindow, devices.updateOnlineWindow);
}
