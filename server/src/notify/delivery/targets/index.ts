export { lockTarget, type TargetState } from './store.ts';
