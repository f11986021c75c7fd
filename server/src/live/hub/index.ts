export type { PresenceOf } from './device-watch.ts';
export { createRooms, type Rooms } from './organization-hubs.ts';
export { createSeats } from './stream-quota.ts';
