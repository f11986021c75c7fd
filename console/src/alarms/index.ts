export { ActiveAlarmsPage } from './active/index.ts';
export { AlarmPage, NewAlarmPage } from './alarm-page.tsx';
export { AlarmConfigurationsPage } from './configurations-page.tsx';
export { AlarmEventPage } from './event-page.tsx';
export { AlarmHistoryPage } from './history-page.tsx';
export { PagePage } from './page-page.tsx';
export { PagesPage } from './pages-page.tsx';
export { AlarmStatisticsPage } from './statistics-page.tsx';
