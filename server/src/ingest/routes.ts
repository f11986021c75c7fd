import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Ingest } from './ingest.ts';

export function ingestRoutes(serve: Serve, { http, exits }: Ingest): void {
  serve(operations.writeReadings, http.writeReadings);
  serve(operations.writePayload, http.writePayload);
  serve(operations.retrieveDeviceIngest, exits.retrieve);
  serve(operations.listUnmatchedPaths, exits.listUnmatched);
}
