export {
  createDeviceIndex,
  DeviceColumn,
  type DeviceIndex,
  DeviceQueue,
  type IndexedDevice,
} from './device-index.ts';
export {
  createOnlineVariable,
  type OnlineVariable,
  type OnlineVariableDeps,
} from './online-variable.ts';
export { onlineVariableIdOf } from './online-variable-id.ts';
export {
  createPresence,
  type DevicePresence,
  type Presence,
  type PresenceListener,
} from './presence.ts';
export { createRecordedPresence, type RecordedPresence } from './recorded-presence.ts';
export { saveAdopted, seeReplayed } from './replayed-readings.ts';
export { type NewSession, SessionReports } from './sessions/index.ts';
export type { SeriesTime } from './store.ts';
