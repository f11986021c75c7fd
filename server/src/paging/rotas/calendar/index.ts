export { createRotaCalendars, type RotaCalendars } from './rota-calendars.ts';
