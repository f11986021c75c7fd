export { DeviceSearch } from './device-search.ts';
