import type { QoS } from '../wire/index.ts';
import { matchesFilter } from '../wire/index.ts';
import type { Delivery } from './delivery-queue.ts';
import type { Session, Sessions, Subscription } from './sessions.ts';
import type { Target } from './topic-cache.ts';

/** A published message, as its subscribers get it. */
export interface Message {
  readonly target: Target;
  /** A copy: the bytes that the message came in are far larger than most messages. */
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  readonly properties: Buffer;
  readonly expiresAt: number | null;
  readonly sender: Session;
}

/** Delivers a stored message to the subscribers of its Device. */
export function forward(sessions: Sessions, message: Message): void {
  for (const session of sessions.subscribersOf(message.target.device.deviceId)) {
    if (session.isRevoked) continue;
    const delivery = deliveryFor(session, message);
    if (delivery) session.link.deliver(delivery);
  }
}

/** One message for all subscriptions of a session that match, at the highest QoS among them. */
function deliveryFor(session: Session, message: Message): Delivery | null {
  const { target, payload, properties, expiresAt } = message;
  let best: Subscription | undefined;
  const subscriptionIdentifiers: number[] = [];
  for (const [filter, subscription] of session.subscriptions) {
    if (subscription.isNoLocal && session === message.sender) continue;
    if (!matchesFilter(filter, target.topic)) continue;
    if (subscription.identifier !== null) subscriptionIdentifiers.push(subscription.identifier);
    if (best === undefined || subscription.qos > best.qos) best = subscription;
  }
  if (best === undefined) return null;
  return {
    topic: target.topic,
    payload,
    qos: Math.min(message.qos, best.qos) as QoS,
    isRetained: message.isRetained && best.isRetainAsPublished,
    properties,
    expiresAt,
    subscriptionIdentifiers,
  };
}
