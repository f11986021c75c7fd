export { createExits, type Exits } from './exits.ts';
export { EXIT_REASONS } from './tally.ts';
