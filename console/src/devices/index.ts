export { CredentialsShown } from './credentials.tsx';
export { DeviceCreationForm } from './device-creation.tsx';
export { DevicePage } from './device-page.tsx';
export { DeviceSelect } from './device-select.tsx';
export { DevicesPage } from './devices-page.tsx';
export { LocationName, useLocations } from './location-name.tsx';
export { suggestionOf } from './unmatched-tab.tsx';
