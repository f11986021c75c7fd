import type { DeviceSessions } from './sessions.ts';

/** Messages a Device may send at once after a pause, in time at its greatest rate. */
const BURST_MS = 1_000;
/** Longer than this nobody is made to wait. */
const MAX_WAIT_MS = 30_000;

/**
 * How long a message has to wait so that its Device stays within its rate, null when it would be
 * too long. What waits is paid for; what is refused is not.
 */
export function waitFor(
  device: DeviceSessions,
  clockNow: number,
  perSecond: number,
): number | null {
  if (perSecond === 0) return 0;
  const now = timeOf(device, clockNow);
  const paidUntil = Math.max(device.paidUntil, now) + 1_000 / perSecond;
  const wait = paidUntil - now - BURST_MS;
  if (wait > MAX_WAIT_MS) return null;
  device.paidUntil = paidUntil;
  return Math.max(0, wait);
}

/** What time it is for the Device: what has waited has come later, however coarse the clock is. */
export function timeOf(device: DeviceSessions, clockNow: number): number {
  return Math.max(clockNow, device.waitedUntil);
}

export function hasWaitedUntil(device: DeviceSessions, time: number): void {
  device.waitedUntil = Math.max(device.waitedUntil, time);
}
