export { DeviceLink, DeviceSelect } from './devices.tsx';
export { useDistinctNames } from './distinct-names.ts';
export { LocationLink, LocationName, useLocations } from './locations.tsx';
export { searchOf, variableLabel } from './variable-names.ts';
export {
  useFoundVariables,
  useVariableLabel,
  VariableLink,
  VariableSelect,
  variableDetail,
} from './variables.tsx';
