export { decryptAppKey, reencryptAppKeys } from './app-keys.ts';
export type { Devices, DevicesDeps } from './deps.ts';
export { createDevices } from './devices.ts';
export { deviceRoutes } from './routes.ts';
export { DeviceSearch } from './search/index.ts';
