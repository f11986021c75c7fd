export {
  createDeviceEntries,
  type DeviceEntries,
  type DeviceEntry,
  ENTRY_LIMITS,
  type EntryLimits,
} from './entries.ts';
