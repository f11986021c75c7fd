export {
  type DemoEnvironment,
  type DemoFlags,
  type DemoServer,
  demonstrate,
  parseDemoFlags,
  type Story,
} from './demo/index.ts';
export {
  type AlarmSpec,
  type AssetSpec,
  createFleet,
  type DeviceSpec,
  type Fleet,
  type FleetOptions,
  type Report,
  type VariableSpec,
} from './model/index.ts';
export { type Environment, simulate } from './simulate.ts';
