export { type AlarmAnnouncement, type AlarmSource, NO_ALARMS } from './announcement.ts';
export { createLive, type Live, type LiveDeps } from './live.ts';
export { liveRoutes } from './routes.ts';
