export {
  createDeviceWatch,
  type DeviceWatch,
  liveDeviceOf,
  type PresenceOf,
} from './device-watch.ts';
export { createOrganizationHubs, type OrganizationHubs } from './organization-hubs.ts';
export { createStreamQuota, type StreamQuota } from './stream-quota.ts';
