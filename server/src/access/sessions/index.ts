export { createOwnSessions, type OwnSessions } from './own-sessions.ts';
export { judgeRefreshToken } from './refresh.ts';
export { createSessions, type SessionOrigin, type Sessions } from './sessions.ts';
export {
  deleteSession,
  deleteSessions,
  findRefreshToken,
  isByProvider,
  lockRefreshToken,
  saveRefresh,
} from './store.ts';
