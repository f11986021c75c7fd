export { backUp, restore } from './backup.ts';
export { runCreateKey } from './create-key.ts';
export { runDoctor } from './doctor/index.ts';
export { runLorawanProbe } from './lorawan-probe.ts';
export { runResetPassword } from './reset-password.ts';
export { runStatus } from './status.ts';
