export { type Alarms, createAlarms } from './alarms.ts';
export { alarmRoutes } from './routes.ts';
