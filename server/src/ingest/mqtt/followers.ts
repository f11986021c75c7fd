import type { Authenticate, Caller } from '../../http/index.ts';
import { Failure } from '../../runtime/index.ts';
import { REASONS } from './reasons.ts';

/** A client that signed in with an API key. */
export interface Follower {
  /** What it signed in with. */
  readonly authorization: string;
  readonly address: string;
  /** Organizations whose alarm events it subscribed to, and how it wants them. */
  readonly subscriptions: Map<string, 0 | 1>;
  send(topic: string, payload: Buffer, qos: 0 | 1): void;
  close(reasonCode: number): void;
}

/** A change of an alarm event, as it is announced. */
export interface AlarmChange {
  readonly id: string;
  readonly change: string;
  readonly event: object;
}

/** Those who follow alarm events over MQTT. */
export interface Followers {
  readonly count: number;
  /** Who presents these credentials; null when they are nobody's. */
  callerOf(authorization: string, address: string): Promise<Caller | null>;
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** Resolves true once all that happens from now on comes; false when it may not be followed. */
  subscribe(follower: Follower, organizationId: string, qos: 0 | 1): Promise<boolean>;
  isFollowed(organizationId: string): boolean;
  announce(organizationId: string, change: AlarmChange): void;
}

export interface FollowersDeps {
  readonly authenticate: Authenticate;
  /** From here on what happens in the organization is announced. */
  readonly begin: (organizationId: string) => Promise<unknown>;
}

export function alarmTopic(organizationId: string): string {
  return `fieldwatch/${organizationId}/events/alarms`;
}

const TOPIC = /^fieldwatch\/([^/+#]+)\/events\/alarms$/;

/** The organization whose alarm events a filter names; null for any other filter. */
export function organizationIn(filter: string): string | null {
  return TOPIC.exec(filter)?.[1] ?? null;
}

export function createFollowers({ authenticate, begin }: FollowersDeps): Followers {
  const all = new Set<Follower>();

  async function callerOf(authorization: string, address: string): Promise<Caller | null> {
    try {
      return await authenticate(authorization, address);
    } catch (error) {
      if (error instanceof Failure && error.status < 500) return null;
      throw error;
    }
  }

  async function mayFollow(follower: Follower, organizationId: string): Promise<boolean> {
    const caller = await callerOf(follower.authorization, follower.address);
    return caller?.permissionsIn(organizationId)?.has('ReadAlarmConfigurations') ?? false;
  }

  /** Looks at the key each time: one that was revoked or lowered is told nothing more. */
  async function tell(follower: Follower, organizationId: string, payload: Buffer): Promise<void> {
    const isAllowed = await mayFollow(follower, organizationId);
    const qos = follower.subscriptions.get(organizationId);
    if (!isAllowed) follower.close(REASONS.notAuthorized);
    else if (qos !== undefined) follower.send(alarmTopic(organizationId), payload, qos);
  }

  const followersOf = (organizationId: string) =>
    [...all].filter(({ subscriptions }) => subscriptions.has(organizationId));

  return {
    get count() {
      return all.size;
    },
    callerOf,
    join: (follower) => all.add(follower),
    leave: (follower) => all.delete(follower),
    async subscribe(follower, organizationId, qos) {
      if (!(await mayFollow(follower, organizationId))) return false;
      follower.subscriptions.set(organizationId, qos);
      await begin(organizationId);
      return true;
    },
    isFollowed: (organizationId) => followersOf(organizationId).length > 0,
    announce(organizationId, change) {
      const payload = Buffer.from(JSON.stringify(change));
      for (const follower of followersOf(organizationId)) {
        // A key that cannot be looked up: the client comes again, and finds what it missed by search.
        tell(follower, organizationId, payload).catch(() => follower.close(REASONS.serverBusy));
      }
    },
  };
}
