export { reencryptAppKeys } from './app-keys.ts';
export { createDevices } from './devices.ts';
export type { Devices } from './parts.ts';
export { deviceRoutes } from './routes.ts';
