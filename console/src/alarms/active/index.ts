export { ActiveAlarmsPage } from './active-alarms-page.tsx';
export { Assign } from './assign.tsx';
