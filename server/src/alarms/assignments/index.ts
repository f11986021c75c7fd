export { type AlarmAssignments, createAlarmAssignments } from './assignments.ts';
