export { ActiveAlarmsPage } from './active-alarms-page.tsx';
export { Assign, useAssignees } from './assign.tsx';
