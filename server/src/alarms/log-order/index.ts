export { announcedLogWriter, findLogHorizon } from './store.ts';
