export { DevicePage } from './device-page.tsx';
export { DevicesPage } from './devices-page.tsx';
