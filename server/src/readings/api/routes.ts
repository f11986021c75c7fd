import { operations } from '@fieldwatch/contract';
import type { Serve } from '../../http/index.ts';
import { decodeRemoteReadBody } from '../prometheus/index.ts';
import type { ReadingHandlers } from './handlers.ts';

export function readingRoutes(serve: Serve, handlers: ReadingHandlers): void {
  serve(operations.listReadings, handlers.list);
  serve(operations.listManyReadings, handlers.listMany);
  serve(operations.listLatestValues, handlers.latest);
  serve(operations.listReadingStatistics, handlers.statistics);
  serve(operations.exportReadings, handlers.exportTable);
  serve(operations.listPrometheusValues, handlers.prometheus);
  serve(operations.readPrometheusHistory, handlers.remoteRead, {
    decodeBody: decodeRemoteReadBody,
  });
}
