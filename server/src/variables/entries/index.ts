export { createDeviceEntries, type DeviceEntries, type DeviceHandle } from './entries.ts';
export type { DeviceEntry } from './entry.ts';
export { ENTRY_LIMITS, type EntryLimits } from './slots.ts';
