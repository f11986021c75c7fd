export { DeviceLink, DeviceSelect } from './devices.tsx';
export { LocationName, useLocations } from './locations.tsx';
export { VariableLink, VariableSelect } from './variables.tsx';
