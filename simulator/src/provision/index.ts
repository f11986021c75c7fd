export type { Credentials, Member, Members } from './devices.ts';
export { NotOursError } from './own.ts';
export { provision } from './provision.ts';
