export { createSensors, type Sensors } from './sensors.ts';
