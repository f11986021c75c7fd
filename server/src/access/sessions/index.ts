export { createOwnSessions, type OwnSessions } from './own-sessions.ts';
export { COOKIE_GRACE_MS, judgeRefreshToken } from './refresh.ts';
export { createRefreshCookie } from './refresh-cookie.ts';
export { createSessions, type SessionOrigin, type Sessions } from './sessions.ts';
export {
  deleteSession,
  deleteSessions,
  findRefreshToken,
  isByProvider,
  lockRefreshToken,
  saveRefresh,
} from './store.ts';
