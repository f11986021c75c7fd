export { Provisioning, type SavedDevice } from './provisioning.ts';
