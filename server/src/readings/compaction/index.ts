export { Compactor } from './compactor.ts';
