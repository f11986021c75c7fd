import { CONNECT_REFUSALS, type ConnectRefusal } from '../wire/index.ts';

export interface SessionQuotaLimits {
  readonly maxClients: number;
  readonly maxSessionsPerDevice: number;
  readonly maxSessionsPerKey: number;
}

/** A Device or an API key that wants a session. */
export interface SessionOwner {
  readonly kind: 'DEVICE' | 'KEY';
  readonly id: string;
  /** The group that shares the reserve: the organization, or else the key. */
  readonly group: string;
}

interface Held {
  readonly total: number;
  readonly ofOwner: number;
  readonly ofGroup: number;
}

/** The reserve for groups with few sessions, as a share of the limit. */
const RESERVE_SHARE = 1 / 10;

/**
 * Why a session is refused, null when it is not. At the limit, a reserve of a tenth of it remains for
 * groups with less than a tenth of the sessions, so that no organization can lock out another.
 */
export function quotaRefusal(
  kind: SessionOwner['kind'],
  held: Held,
  limits: SessionQuotaLimits,
): ConnectRefusal | null {
  const { maxClients, maxSessionsPerDevice, maxSessionsPerKey } = limits;
  const max = kind === 'DEVICE' ? maxSessionsPerDevice : maxSessionsPerKey;
  if (held.ofOwner >= max) return CONNECT_REFUSALS.quotaExceeded;
  if (held.total < maxClients) return null;
  const reserved = Math.ceil(maxClients * RESERVE_SHARE);
  const isFew = held.ofGroup < maxClients * RESERVE_SHARE;
  return isFew && held.total < maxClients + reserved ? null : CONNECT_REFUSALS.unavailable;
}

/** Counts the sessions of each Device, API key and organization. */
export interface SessionQuota {
  /** Null when the session is admitted and counted; otherwise the reason of the refusal. */
  enter(owner: SessionOwner): ConnectRefusal | null;
  leave(owner: SessionOwner): void;
}

export function createSessionQuota(limits: SessionQuotaLimits): SessionQuota {
  const owners = new Map<string, number>();
  const groups = new Map<string, number>();
  let total = 0;
  const change = (counts: Map<string, number>, key: string, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  const add = ({ id, group }: SessionOwner, by: number) => {
    total += by;
    change(owners, id, by);
    change(groups, group, by);
  };
  return {
    enter(owner) {
      const ofOwner = owners.get(owner.id) ?? 0;
      const ofGroup = groups.get(owner.group) ?? 0;
      const refusal = quotaRefusal(owner.kind, { total, ofOwner, ofGroup }, limits);
      if (refusal === null) add(owner, 1);
      return refusal;
    },
    leave: (owner) => add(owner, -1),
  };
}
