import {
  type ContactKind,
  type NotificationBand,
  type QuietHours,
  SEVERITIES,
  type Severity,
} from '@fieldwatch/contract';
import { openTimeZone, periodsOfWeeklyHours } from '../../runtime/index.ts';

/** A contact method as far as it decides who is contacted how. */
export interface UsableMethod {
  readonly id: string;
  readonly kind: ContactKind;
  readonly address: string;
  readonly isVerified: boolean;
}

/** How one person wants to be contacted. */
export interface ContactWishes {
  /** Of the account: used while there is no verified contact method. */
  readonly email: string;
  /** In their order. */
  readonly methods: readonly UsableMethod[];
  readonly bands: readonly NotificationBand[];
  readonly quietHours: QuietHours | null;
}

/** One message of a plan. */
export interface ContactStep {
  /** Null for the email of the account. */
  readonly contactMethodId: string | null;
  readonly kind: ContactKind;
  /** The address, the number, the id of the web push subscription or that of the webhook. */
  readonly address: string;
  readonly dueAt: number;
}

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * How and when a person is contacted about something of a severity that becomes due at a moment. It
 * is empty only where the person chose not to be contacted, which CRITICAL does not allow.
 */
export function planOf(wishes: ContactWishes, severity: Severity, at: number): ContactStep[] {
  const steps = stepsOf(wishes, severity, at);
  const opensAt = quietUntil(wishes.quietHours, severity, at);
  return steps.map(({ dueAt, ...step }) => ({ ...step, dueAt: Math.max(dueAt, opensAt ?? dueAt) }));
}

function stepsOf(wishes: ContactWishes, severity: Severity, at: number): ContactStep[] {
  const band = wishes.bands.find(({ severities }) => severities.includes(severity));
  if (band && band.steps.length === 0 && severity !== 'CRITICAL') return [];
  const verified = wishes.methods.filter(({ isVerified }) => isVerified);
  const methodOf = new Map(verified.map((method) => [method.id, method]));
  const chosen = (band?.steps ?? []).flatMap(({ contactMethodId, afterSeconds }) => {
    const method = methodOf.get(contactMethodId);
    return method ? [stepOf(method, at + afterSeconds * 1000)] : [];
  });
  if (chosen.length > 0) return [...chosen].sort((a, b) => a.dueAt - b.dueAt);
  if (verified.length > 0) {
    return verified.map((method, index) => stepOf(method, at + index * MINUTE_MS));
  }
  return [{ contactMethodId: null, kind: 'EMAIL', address: wishes.email, dueAt: at }];
}

function stepOf({ id, kind, address }: UsableMethod, dueAt: number): ContactStep {
  return { contactMethodId: id, kind, address, dueAt };
}

/** When the quiet hours that hold this end; null when none hold it. */
export function quietUntil(
  quiet: QuietHours | null,
  severity: Severity,
  at: number,
): number | null {
  if (quiet === null || severity === 'CRITICAL') return null;
  if (SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(quiet.upToSeverity)) return null;
  const zone = openTimeZone(quiet.timeZone);
  const periods = periodsOfWeeklyHours(zone, quiet.hours, { from: at, to: at + WEEK_MS });
  const [first] = periods;
  return first && first.from <= at ? first.to : null;
}

/** Whether quiet hours leave no time of the week. */
export function isAlwaysQuiet({ timeZone, hours }: QuietHours, now: number): boolean {
  const within = { from: now, to: now + WEEK_MS };
  const [first] = periodsOfWeeklyHours(openTimeZone(timeZone), hours, within);
  return first !== undefined && first.from === within.from && first.to === within.to;
}
