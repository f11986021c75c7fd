export { type AlarmGroups, createAlarmGroups, removeAddress } from './alarm-groups.ts';
