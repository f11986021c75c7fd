export type { Outage } from './cycles.ts';
export { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
export { chance, drift, rounded, seedFor } from './random.ts';
export type { Site } from './site.ts';
export type {
  AlarmSpec,
  AssetSpec,
  DeviceSpec,
  Report,
  Value,
  VariableKey,
  VariableSpec,
} from './spec.ts';
