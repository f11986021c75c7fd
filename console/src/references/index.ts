export { DeviceLink, DeviceSelect } from './devices.tsx';
export { useDistinctNames } from './distinct-names.ts';
export { LocationLink, LocationName, useLocations, useSites } from './locations.tsx';
export type { Site } from './sites.ts';
export { searchOf, variableLabel } from './variable-names.ts';
export {
  useFoundVariables,
  useVariableLabel,
  VariableLink,
  VariableSelect,
  variableDetail,
} from './variables.tsx';
