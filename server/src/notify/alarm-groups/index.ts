export { type AlarmGroups, createAlarmGroups } from './alarm-groups.ts';
