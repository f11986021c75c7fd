export type { PresenceOf } from './device-watch.ts';
export { createOrganizationHubs, type OrganizationHubs } from './organization-hubs.ts';
export { createStreamQuota } from './stream-quota.ts';
