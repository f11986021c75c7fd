export { Column, createPlaces, type Placed, type Places, Waiting } from './device-index.ts';
export { createOnline, type Online, type OnlineDeps } from './online-variable.ts';
export { onlineVariableIdOf } from './online-variable-id.ts';
export { createPresence, type Presence, type PresenceBoard } from './presence.ts';
