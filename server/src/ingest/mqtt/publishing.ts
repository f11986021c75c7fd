import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '../../runtime/index.ts';
import type { DeviceEntries } from '../../variables/index.ts';
import type { Pipeline } from '../pipeline.ts';
import { noteFailure, type Outcome, outcomeOf, refused, TAKEN, UNTAKEN } from './outcome.ts';
import { waitFor } from './pace.ts';
import type { Session } from './sessions.ts';
import { addressOf, isWithinLimits, suffixBelow } from './topic.ts';

export interface PublishingDeps {
  readonly entries: Pick<DeviceEntries, 'get' | 'peek'>;
  readonly take: Pipeline['take'];
  readonly clock: Clock;
  readonly log: Log;
  /** Of one Device; 0 means no limit. */
  readonly messagesPerSecond: number;
  /** Set off when the server stops: nothing is taken any more. */
  readonly stopping: AbortSignal;
}

interface Message {
  readonly topic: string;
  readonly payload: string | Buffer;
}

interface Target {
  readonly deviceId: string;
  readonly suffix: string;
}

/** Takes the messages of Devices, each with what its Device may do. Never rejects. */
export function createPublishing(deps: PublishingDeps) {
  const { entries, take, clock, log, messagesPerSecond, stopping } = deps;

  /** A gateway speaks also for the Devices whose parent it is. */
  async function childTarget(session: Session, topic: string): Promise<Target | null> {
    const address = addressOf(topic);
    if (address?.organizationId !== session.organizationId) return null;
    const child = entries.peek(address.deviceId) ?? (await entries.get(address.deviceId));
    const isOwn =
      child?.organizationId === session.organizationId && child.parentDeviceId === session.deviceId;
    return isOwn ? address : null;
  }

  async function publish(session: Session, { topic, payload }: Message): Promise<Outcome> {
    if (!isWithinLimits(topic)) return refused('The topic is too long or too deep.');
    const receivedAt = clock.now();
    const wait = waitFor(session.device, receivedAt, messagesPerSecond);
    if (wait === null) return refused('The Device sends too many messages.');
    if (wait > 0) await sleep(wait, undefined, { signal: stopping });
    const own = suffixBelow(session.topic, topic);
    const target =
      own === null
        ? await childTarget(session, topic)
        : { deviceId: session.deviceId, suffix: own };
    if (target === null) return refused('The Device may not publish to this topic.');
    if (session.isRevoked) return refused('The Device may not publish any more.');
    if (stopping.aborted) return UNTAKEN;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const { deviceId, suffix } = target;
    await take({ deviceId, suffix, payload: bytes, receivedAt });
    return TAKEN;
  }

  return (session: Session, message: Message): Promise<Outcome> =>
    publish(session, message).catch((error: unknown) => {
      if (stopping.aborted) return UNTAKEN;
      noteFailure(log, session.deviceId, error);
      return outcomeOf(error);
    });
}
