import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Maintenance } from './maintenance.ts';

export function maintenanceRoutes(serve: Serve, { windows }: Maintenance): void {
  serve(operations.listMaintenanceWindows, windows.list);
  serve(operations.retrieveMaintenanceWindow, windows.retrieve);
  serve(operations.createMaintenanceWindow, windows.create);
  serve(operations.updateMaintenanceWindow, windows.update);
  serve(operations.endMaintenanceWindow, windows.end);
  serve(operations.deleteMaintenanceWindow, windows.delete);
}
