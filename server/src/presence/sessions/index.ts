export type { NewSession } from './local-sessions.ts';
export { SessionReports, type SessionReportsDeps } from './session-reports.ts';
