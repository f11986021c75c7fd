export { createJanitor } from './janitor.ts';
