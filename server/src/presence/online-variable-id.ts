import { createHash } from 'node:crypto';

/**
 * The id of the built-in Variable that follows whether a Device is online. It follows from the
 * Device's own, so that nothing has to be looked up to tell it.
 */
export function onlineVariableIdOf(deviceId: string): string {
  const digits = createHash('md5').update(deviceId).digest('hex').slice(0, 12);
  return `${deviceId.slice(0, 24)}${digits}`;
}
