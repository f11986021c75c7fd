export { AlarmPage, NewAlarmPage } from './alarm-page.tsx';
export { AlarmsNowPage } from './alarms-now-page.tsx';
export { AlarmConfigurationsPage } from './configurations-page.tsx';
export { AlarmEventPage } from './event-page.tsx';
export { AlarmHistoryPage } from './history-page.tsx';
export { AlarmKpisPage } from './kpis-page.tsx';
