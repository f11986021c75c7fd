import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Ingest } from './ingest.ts';

/** How Devices reach the broker; the port is null with an external broker. */
export interface BrokerAddress {
  readonly port: number | null;
  readonly isEncrypted: boolean;
}

export function publishingRoutes(serve: Serve, { port, isEncrypted }: BrokerAddress): void {
  const body = { mqttPort: port, isMqttEncrypted: isEncrypted };
  serve(operations.retrievePublishing, async () => ({ body }));
}

export function ingestRoutes(serve: Serve, { http, rejections, deadLetters }: Ingest): void {
  serve(operations.writeReadings, http.writeReadings, { decodeBody: http.decodeBody });
  serve(operations.writePayload, http.writePayload);
  serve(operations.retrieveDeviceIngest, rejections.retrieve);
  serve(operations.listUnmatchedPaths, rejections.listUnmatched);
  serve(operations.listDeadLetters, deadLetters.list);
}
