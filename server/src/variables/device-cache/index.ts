export type { DeviceCacheLimits } from './cache-entries.ts';
export type { CachedDevice, CachedVariable } from './cached-device.ts';
export { createDeviceCache, type DeviceCache, type DeviceHandle } from './device-cache.ts';
