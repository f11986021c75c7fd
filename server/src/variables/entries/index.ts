export {
  createDeviceEntries,
  type DeviceEntries,
  ENTRY_LIMITS,
  type EntryLimits,
} from './entries.ts';
export type { DeviceEntry } from './entry.ts';
