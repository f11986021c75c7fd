export {
  createDeviceEntries,
  type DeviceEntries,
  type DeviceEntry,
  type DeviceHandle,
  ENTRY_LIMITS,
  type EntryLimits,
} from './device-cache/index.ts';
export type { VariableRef } from './ref.ts';
export { variableRoutes } from './routes.ts';
export { VARIABLE_COLUMNS } from './store.ts';
export { type VariableRow, variableRecord } from './variable.ts';
export { createVariables, type Variables } from './variables.ts';
