import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Heartbeats } from './heartbeats.ts';

export function heartbeatRoutes(serve: Serve, { handlers }: Heartbeats): void {
  serve(operations.listHeartbeats, handlers.list);
  serve(operations.retrieveHeartbeat, handlers.retrieve);
  serve(operations.createHeartbeat, handlers.create);
  serve(operations.updateHeartbeat, handlers.update);
  serve(operations.deleteHeartbeat, handlers.delete);
}
