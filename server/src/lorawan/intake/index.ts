export { type EventSource, Intake, type IntakeDeps } from './intake.ts';
export { gatewayMessage, sensorMessages } from './message.ts';
