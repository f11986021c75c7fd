export { createDevices } from './devices.ts';
export type { Devices } from './parts.ts';
export { createPresence, type PresenceBoard } from './presence.ts';
export { deviceRoutes } from './routes.ts';
