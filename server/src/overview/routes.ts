import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Overview } from './overview.ts';

export function overviewRoutes(serve: Serve, overview: Overview): void {
  serve(operations.retrieveOverview, overview.retrieve);
  serve(operations.listSites, overview.listSites);
}
