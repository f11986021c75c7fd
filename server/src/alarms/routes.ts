import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Alarms } from './alarms.ts';

export function alarmRoutes(serve: Serve, alarms: Alarms): void {
  serve(operations.searchAlarms, alarms.search, { isKept: true });
  serve(operations.retrieveAlarm, alarms.retrieve);
  serve(operations.createAlarm, alarms.create);
  serve(operations.updateAlarm, alarms.update);
  serve(operations.archiveAlarm, alarms.archive);
  serve(operations.restoreAlarm, alarms.restore);
}
