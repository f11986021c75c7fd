export { compose, type Service } from './compose.ts';
export { claimDataDir } from './demo-guard.ts';
export { mayCreateCluster, type ProcessEnvironment } from './open-core.ts';
export { plainTextWarnings } from './plain-text.ts';
export { ROOT_WARNING, startupBanner } from './startup-banner.ts';
