export { runDoctor } from './doctor.ts';
