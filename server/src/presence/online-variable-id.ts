import { createHash } from 'node:crypto';

/**
 * The id of the built-in Variable of a Device that records whether it is online. It is derived from
 * the id of the Device, so that no lookup is needed.
 */
export function onlineVariableIdOf(deviceId: string): string {
  const digits = createHash('md5').update(deviceId).digest('hex').slice(0, 12);
  return `${deviceId.slice(0, 24)}${digits}`;
}
