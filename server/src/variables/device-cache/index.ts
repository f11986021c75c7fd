export type { DeviceCacheLimits } from './cache-entries.ts';
export type { CachedDevice } from './cached-device.ts';
export { createDeviceCache, type DeviceCache, type DeviceHandle } from './device-cache.ts';
export type { CachedVariable } from './device-variables.ts';
