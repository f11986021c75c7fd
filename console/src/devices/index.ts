export { CredentialsShown } from './credentials.tsx';
export { DeviceCreationForm } from './device-creation.tsx';
export { DevicePage } from './device-page.tsx';
export { DevicesPage } from './devices-page.tsx';
export { suggestionOf } from './unmatched-tab.tsx';
