export { reencryptAppKeys } from './app-keys.ts';
export { createDevices } from './devices.ts';
export type { Devices } from './parts.ts';
export { Column, createPlaces, type Placed, type Places, Waiting } from './places.ts';
export { createPresence, type PresenceBoard } from './presence.ts';
export { deviceRoutes } from './routes.ts';
