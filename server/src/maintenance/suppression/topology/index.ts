export { releaseBehind } from './release.ts';
export { findReportedAbove, holdBehindOffline } from './topology.ts';
