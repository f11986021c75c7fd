import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Locations } from './locations.ts';

export function locationRoutes(serve: Serve, locations: Locations): void {
  serve(operations.listLocations, locations.list);
  serve(operations.retrieveLocation, locations.retrieve);
  serve(operations.createLocation, locations.create);
  serve(operations.updateLocation, locations.update);
  serve(operations.deleteLocation, locations.delete);
}
