export { type EventSource, Intake, type IntakeDeps } from './intake.ts';
