import type { ClockMoment, Log } from '../../../runtime/index.ts';
import type { Storage } from '../../../storage/index.ts';
import * as store from './store.ts';

export interface LeasesDeps {
  readonly storage: Storage;
  readonly log: Log;
  /** Delivers what is due to a target. */
  readonly serve: (name: store.TargetName) => Promise<void>;
  readonly onServed: () => void;
}

type Moment = Pick<ClockMoment, 'now' | 'elapsed'>;

/** The targets that this process serves, each leased for as long as that takes. */
export interface Leases {
  /** Extends the leases of the targets that are served, and serves more; returns how many more. */
  next(moment: Moment): Promise<number>;
  /** The clock was set, or may have been before the start: leases end by it as it is now. */
  align(now: number): Promise<void>;
  /** Resolves when no target is served any more. */
  served(): Promise<void>;
}

/** Separate, so that a mail server that does not answer keeps no webhook waiting. */
const MAX_CONCURRENT_TARGETS = { EMAIL: 5, WEBHOOK: 24 } as const;
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

type Channel = keyof typeof MAX_CONCURRENT_TARGETS;
const CHANNELS = Object.keys(MAX_CONCURRENT_TARGETS) as Channel[];

interface Served {
  readonly channel: Channel;
  /** As it was last renewed. */
  lease: store.Lease;
  /** It is being released, and no longer renewed. */
  isEnding: boolean;
}

export function createLeases({ storage, log, serve, onServed }: LeasesDeps): Leases {
  const serving = new Map<string, Served>();
  const running = new Set<Promise<void>>();
  /** By the monotonic clock. */
  let renewedAt = Number.NEGATIVE_INFINITY;
  let renewing: Promise<void> = Promise.resolve();

  async function begin(served: Served): Promise<void> {
    const { id } = served.lease;
    try {
      await serve(served.lease);
      served.isEnding = true;
      // A renewal under way may still change the lease that is to be released.
      await renewing;
      await store.releaseTarget(storage, served.lease);
    } catch (error) {
      log.warn({ err: error, targetId: id }, 'deliveries to a target were interrupted');
    } finally {
      serving.delete(id);
      onServed();
    }
  }

  async function leaseMore(channel: Channel, now: number): Promise<number> {
    const busy = [...serving.values()].filter((each) => each.channel === channel).length;
    const max = MAX_CONCURRENT_TARGETS[channel] - busy;
    if (max <= 0) return 0;
    // One whose lease ran out during an outage is still served here.
    const exceptIds = [...serving.keys()];
    const until = now + LEASE_MS;
    const leases = await store.leaseTargets(storage, { now, until, channel, max, exceptIds });
    for (const lease of leases) {
      const served: Served = { channel, lease, isEnding: false };
      serving.set(lease.id, served);
      const done = begin(served).finally(() => running.delete(done));
      running.add(done);
    }
    return leases.length;
  }

  /** A target may be served for long: a mail server may take minutes, and storage may be unavailable. */
  async function renew({ now, elapsed }: Moment): Promise<void> {
    const held = [...serving.values()].filter(({ isEnding }) => !isEnding);
    if (elapsed - renewedAt < RENEW_MS || held.length === 0) return;
    renewedAt = elapsed;
    const until = now + LEASE_MS;
    const leases = held.map(({ lease }) => lease);
    const renewed = await store.renewLeases(storage, leases, until);
    for (const each of held) {
      if (renewed.has(each.lease.id)) each.lease = { ...each.lease, until };
    }
  }

  return {
    async next(moment) {
      const renewal = renew(moment);
      renewing = renewal.catch(() => undefined);
      await renewal;
      // One question in place of one for each channel: mostly nothing is due.
      if (!(await store.hasDueTargets(storage, moment.now))) return 0;
      let leased = 0;
      for (const channel of CHANNELS) leased += await leaseMore(channel, moment.now);
      return leased;
    },
    async align(now) {
      renewedAt = Number.NEGATIVE_INFINITY;
      await store.limitLeases(storage, now + LEASE_MS, [...serving.keys()]);
    },
    async served() {
      await Promise.all(running);
    },
  };
}
