import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../runtime/index.ts';
import type { CachedDevice } from '../../../variables/index.ts';
import type { Submit } from '../../message.ts';
import { REASONS } from '../wire/index.ts';
import type { PendingAcknowledgement } from './acknowledgements.ts';
import { hasWaitedUntil, timeOf, waitFor } from './message-rate.ts';
import { NOT_STORED, type Outcome, refused } from './outcome.ts';
import type { Session } from './sessions.ts';
import { NOT_AUTHORIZED } from './topic-access.ts';
import type { TopicRoute } from './topic-cache.ts';

export interface PublishingDeps {
  readonly submit: Submit;
  readonly clock: Clock;
  /** The rate limit of one Device; 0 means no limit. */
  readonly messagesPerSecond: number;
  /** Aborted when the server stops: no more messages are accepted. */
  readonly stopping: AbortSignal;
}

/** A message that a session received. */
export interface Published {
  readonly session: Session;
  readonly route: TopicRoute;
  /** Valid until `publish` returns. */
  readonly payload: Buffer;
  readonly receivedAt: number;
}

/**
 * Submits a message to the pipeline if its Device is authorized. Undefined when the message was
 * submitted; otherwise it waits, and later messages of its connection wait with it. Never rejects.
 */
export type Publish = (
  published: Published,
  acknowledgement: PendingAcknowledgement,
) => Promise<void> | undefined;

export function createPublishing(deps: PublishingDeps): Publish {
  const { submit, clock, messagesPerSecond, stopping } = deps;

  function submitNow(
    published: Published,
    acknowledgement: PendingAcknowledgement,
  ): Promise<void> | undefined {
    const { session, route, payload, receivedAt } = published;
    if (!route.isOwn) {
      const child = route.device.peek();
      if (child === undefined) return submitLater(published, acknowledgement, 0);
      if (!isChild(session, child)) return complete(acknowledgement, refused(NOT_AUTHORIZED));
    }
    const { device, suffix } = route;
    return submit({ device, suffix, payload, receivedAt }, acknowledgement);
  }

  async function submitLater(
    published: Published,
    acknowledgement: PendingAcknowledgement,
    waitMs: number,
  ): Promise<void> {
    const { session, route, receivedAt } = published;
    const payload = Buffer.from(published.payload);
    try {
      if (waitMs > 0) {
        const until = timeOf(session.device, clock.now()) + waitMs;
        await sleep(waitMs, undefined, { signal: stopping });
        hasWaitedUntil(session.device, until);
      }
      // A gateway also publishes for the Devices whose parent it is.
      const child = route.isOwn ? null : await route.device.get();
      if (!route.isOwn && !isChild(session, child))
        return acknowledgement.complete(refused(NOT_AUTHORIZED));
      if (session.isRevoked) return acknowledgement.complete(REVOKED);
      if (stopping.aborted) return acknowledgement.complete(NOT_STORED);
    } catch (error) {
      return acknowledgement.failed(error);
    }
    await submit(
      { device: route.device, suffix: route.suffix, payload, receivedAt },
      acknowledgement,
    );
  }

  return (published, acknowledgement) => {
    const { session, route } = published;
    if (route.refusal !== null) return complete(acknowledgement, refused(route.refusal));
    if (session.isRevoked) return complete(acknowledgement, REVOKED);
    if (stopping.aborted) return complete(acknowledgement, NOT_STORED);
    const wait = waitFor(session.device, clock.now(), messagesPerSecond);
    if (wait === null) return complete(acknowledgement, TOO_MANY);
    return wait > 0
      ? submitLater(published, acknowledgement, wait)
      : submitNow(published, acknowledgement);
  };
}

const REVOKED = refused('The Device is no longer authorized to publish.');
const TOO_MANY = refused('The Device exceeds its message rate.', REASONS.quotaExceeded);

function complete(acknowledgement: PendingAcknowledgement, outcome: Outcome): undefined {
  acknowledgement.complete(outcome);
}

function isChild(session: Session, child: CachedDevice | null): boolean {
  return (
    child?.organizationId === session.organizationId && child.parentDeviceId === session.deviceId
  );
}
