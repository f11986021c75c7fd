import type { DeviceSessions } from './sessions.ts';

/** The burst that a Device may send after a pause, as time at its maximum rate. */
const BURST_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/**
 * The generic cell rate algorithm (GCRA): how long a message waits so that its Device stays within
 * its rate, null when that is too long. A message that waits counts against the rate; a refused
 * message does not.
 */
export function waitFor(
  device: DeviceSessions,
  clockNow: number,
  perSecond: number,
): number | null {
  if (perSecond === 0) return 0;
  const now = timeOf(device, clockNow);
  const theoreticalArrivalAt = Math.max(device.theoreticalArrivalAt, now) + 1_000 / perSecond;
  const wait = theoreticalArrivalAt - now - BURST_MS;
  if (wait > MAX_WAIT_MS) return null;
  device.theoreticalArrivalAt = theoreticalArrivalAt;
  return Math.max(0, wait);
}

/** The time of the Device, which is not before the end of its last wait, however coarse the clock is. */
export function timeOf(device: DeviceSessions, clockNow: number): number {
  return Math.max(clockNow, device.waitedUntil);
}

export function hasWaitedUntil(device: DeviceSessions, time: number): void {
  device.waitedUntil = Math.max(device.waitedUntil, time);
}
