import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Live } from './live.ts';

export function liveRoutes(serve: Serve, live: Live): void {
  serve(operations.followLive, live.follow);
}
