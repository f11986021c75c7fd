export { ENTRY_LIMITS, type EntryLimits } from './cache-entries.ts';
export type { DeviceEntry } from './cached-device.ts';
export { createDeviceEntries, type DeviceEntries, type DeviceHandle } from './device-cache.ts';
