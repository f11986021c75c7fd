export { releaseBehind } from './release.ts';
export { holdBehindOffline } from './topology.ts';
