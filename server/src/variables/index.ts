export {
  type CachedDevice,
  type CachedVariable,
  createDeviceCache,
  type DeviceCache,
  type DeviceCacheLimits,
  type DeviceHandle,
} from './device-cache/index.ts';
export type { VariableRef } from './ref.ts';
export { variableRoutes } from './routes.ts';
export { VARIABLE_COLUMNS } from './store.ts';
export { type VariableRow, variableRecord } from './variable.ts';
export { createVariables, type Variables } from './variables.ts';
