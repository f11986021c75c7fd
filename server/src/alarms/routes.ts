import { operations } from '@fieldwatch/contract';
import type { Serve } from '../http/index.ts';
import type { Alarms } from './alarms.ts';

export function alarmRoutes(serve: Serve, alarms: Alarms): void {
  serve(operations.searchAlarms, alarms.search, { isCached: true });
  serve(operations.retrieveAlarm, alarms.retrieve);
  serve(operations.createAlarm, alarms.create);
  serve(operations.updateAlarm, alarms.update);
  serve(operations.archiveAlarm, alarms.archive);
  serve(operations.restoreAlarm, alarms.restore);
  serve(operations.shelveAlarm, alarms.shelve);
  serve(operations.unshelveAlarm, alarms.unshelve);
  serve(operations.listAlarmHistory, alarms.history.list);
  serve(operations.retrieveAlarmEvent, alarms.history.retrieve);
  serve(operations.listAlarmTimeline, alarms.history.timeline);
  serve(operations.acknowledgeAlarmEvent, alarms.history.acknowledge);
  serve(operations.acknowledgeAlarmEvents, alarms.history.acknowledgeMany);
  serve(operations.createAlarmEventNote, alarms.history.createNote);
  serve(operations.listAlarmAssignments, alarms.assignments.list);
  serve(operations.assignAlarmEvents, alarms.assignments.assign);
  serve(operations.listAlarmAssignees, alarms.assignments.assignees);
  serve(operations.backtestAlarm, alarms.analysis.backtest);
  serve(operations.retrieveAlarmKpis, alarms.analysis.kpis);
}
