import type { HeartbeatKind } from '@fieldwatch/contract';

/** How long the synthetic reading may take until it is durable and read back. */
export const PROBE_LIMIT_MS = 5_000;
/** How long ago the alarm ticker and the delivery worker may have run. */
const MAX_AGE_MS = 10_000;

/** What is known of the server at a moment. */
export interface Vitals {
  /** Why the synthetic reading was not stored and read back in time; null when it was. */
  readonly probeError: string | null;
  readonly tickerAgeMs: number;
  readonly workerAgeMs: number;
}

/** What is wrong with the server, each as a sentence without its full stop; none when it is well. */
export function problemsOf({ probeError, tickerAgeMs, workerAgeMs }: Vitals): string[] {
  const problems: string[] = [];
  if (probeError !== null) problems.push(`a synthetic reading was not stored: ${probeError}`);
  if (tickerAgeMs > MAX_AGE_MS) {
    problems.push(`alarms were not judged by time for ${secondsOf(tickerAgeMs)} s`);
  }
  if (workerAgeMs > MAX_AGE_MS) {
    problems.push(`notifications were not processed for ${secondsOf(workerAgeMs)} s`);
  }
  return problems;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

interface Planned {
  readonly nextAt: number;
  readonly everySeconds: number;
}

/** A clock that was set back does not delay a call by more than its interval. */
export function isDue({ nextAt, everySeconds }: Planned, now: number): boolean {
  return nextAt <= now || nextAt > now + everySeconds * 1_000;
}

/** The address to call; null for silence, which is how some services notice that all is not well. */
export function addressOf(
  { kind, url }: { readonly kind: HeartbeatKind; readonly url: string },
  isHealthy: boolean,
): string | null {
  return isHealthy ? url : failureAddressOf(kind, url);
}

function failureAddressOf(kind: HeartbeatKind, text: string): string | null {
  const url = new URL(text);
  if (kind === 'HEALTHCHECKS' || kind === 'BETTER_STACK') {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/fail`;
    return url.href;
  }
  if (kind === 'UPTIME_KUMA') {
    url.searchParams.set('status', 'down');
    url.searchParams.set('msg', 'Fieldwatch is not well');
    return url.href;
  }
  return null;
}
