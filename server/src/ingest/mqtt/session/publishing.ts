import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../runtime/index.ts';
import type { CachedDevice } from '../../../variables/index.ts';
import type { Pipeline } from '../../pipeline.ts';
import { REASONS } from '../wire/index.ts';
import type { Slot } from './acknowledgements.ts';
import { hasWaitedUntil, timeOf, waitFor } from './message-rate.ts';
import { type Outcome, refused, UNTAKEN } from './outcome.ts';
import type { Session } from './sessions.ts';
import { ELSEWHERE } from './topic-access.ts';
import type { Target } from './topic-cache.ts';

export interface PublishingDeps {
  readonly take: Pipeline['take'];
  readonly clock: Clock;
  /** Of one Device; 0 means no limit. */
  readonly messagesPerSecond: number;
  /** Set off when the server stops: nothing is taken any more. */
  readonly stopping: AbortSignal;
}

/** A message that came over a session. */
export interface Published {
  readonly session: Session;
  readonly target: Target;
  readonly payload: Buffer;
  readonly receivedAt: number;
}

/**
 * Takes a message, with what its Device may do. Undefined when it is on its way; otherwise it has to
 * wait, and so does what follows on its connection. Never rejects.
 */
export type Publish = (published: Published, slot: Slot) => Promise<void> | undefined;

export function createPublishing(deps: PublishingDeps): Publish {
  const { take, clock, messagesPerSecond, stopping } = deps;

  function takeNow(published: Published, slot: Slot): Promise<void> | undefined {
    const { session, target, payload, receivedAt } = published;
    if (!target.isOwn) {
      const child = target.device.peek();
      if (child === undefined) return takeLater(published, slot, 0);
      if (!isChild(session, child)) return settled(slot, refused(ELSEWHERE));
    }
    const { device, suffix } = target;
    return take({ device, suffix, payload, receivedAt }, slot);
  }

  async function takeLater(published: Published, slot: Slot, waitMs: number): Promise<void> {
    const { session, target } = published;
    try {
      if (waitMs > 0) {
        const until = timeOf(session.device, clock.now()) + waitMs;
        await sleep(waitMs, undefined, { signal: stopping });
        hasWaitedUntil(session.device, until);
      }
      // A gateway speaks also for the Devices whose parent it is.
      const child = target.isOwn ? null : await target.device.get();
      if (!target.isOwn && !isChild(session, child)) return slot.settle(refused(ELSEWHERE));
      if (session.isRevoked) return slot.settle(REVOKED);
      if (stopping.aborted) return slot.settle(UNTAKEN);
    } catch (error) {
      return slot.failed(error);
    }
    const { payload, receivedAt } = published;
    await take({ device: target.device, suffix: target.suffix, payload, receivedAt }, slot);
  }

  return (published, slot) => {
    const { session, target } = published;
    if (target.refusal !== null) return settled(slot, refused(target.refusal));
    if (session.isRevoked) return settled(slot, REVOKED);
    if (stopping.aborted) return settled(slot, UNTAKEN);
    const wait = waitFor(session.device, clock.now(), messagesPerSecond);
    if (wait === null) return settled(slot, TOO_MANY);
    return wait > 0 ? takeLater(published, slot, wait) : takeNow(published, slot);
  };
}

const REVOKED = refused('The Device may not publish any more.');
const TOO_MANY = refused('The Device sends too many messages.', REASONS.quotaExceeded);

function settled(slot: Slot, outcome: Outcome): undefined {
  slot.settle(outcome);
}

function isChild(session: Session, child: CachedDevice | null): boolean {
  return (
    child?.organizationId === session.organizationId && child.parentDeviceId === session.deviceId
  );
}
