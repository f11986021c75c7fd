export { EXIT_REASONS } from './counts.ts';
export { createExits, type Exits } from './rejections.ts';
