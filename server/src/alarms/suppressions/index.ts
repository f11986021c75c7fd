export { recordSuppressions, type Suppression } from './store.ts';
