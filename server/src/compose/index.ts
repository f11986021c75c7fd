export { compose, type Service } from './compose.ts';
export { claimDataDir } from './demo-guard.ts';
export { plainTextWarnings } from './plain-text.ts';
export { ROOT_WARNING, startupBanner } from './startup-banner.ts';
