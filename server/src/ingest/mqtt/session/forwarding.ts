import type { QoS } from '../wire/index.ts';
import { matchesFilter } from '../wire/index.ts';
import type { Delivery } from './delivery-queue.ts';
import type { Session, Sessions, Subscription } from './sessions.ts';
import type { TopicRoute } from './topic-cache.ts';

/** A published message for its subscribers. */
export interface Message {
  readonly route: TopicRoute;
  /** A copy: the buffer that the message arrived in is far larger than most messages. */
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  readonly properties: Buffer;
  readonly expiresAt: number | null;
  readonly sender: Session;
}

/** Delivers a stored message to the subscribers of its Device. */
export function forward(sessions: Sessions, message: Message): void {
  for (const session of sessions.subscribersOf(message.route.device.deviceId)) {
    if (session.isRevoked) continue;
    const delivery = deliveryFor(session, message);
    if (delivery) session.link.deliver(delivery);
  }
}

/** One message for all subscriptions of a session that match, at the highest QoS among them. */
function deliveryFor(session: Session, message: Message): Delivery | null {
  const { route, payload, properties, expiresAt } = message;
  let best: Subscription | undefined;
  const subscriptionIdentifiers: number[] = [];
  for (const [filter, subscription] of session.subscriptions) {
    if (subscription.isNoLocal && session === message.sender) continue;
    if (!matchesFilter(filter, route.topic)) continue;
    if (subscription.identifier !== null) subscriptionIdentifiers.push(subscription.identifier);
    if (best === undefined || subscription.qos > best.qos) best = subscription;
  }
  if (best === undefined) return null;
  return {
    topic: route.topic,
    payload,
    qos: Math.min(message.qos, best.qos) as QoS,
    isRetained: message.isRetained && best.isRetainAsPublished,
    properties,
    expiresAt,
    subscriptionIdentifiers,
  };
}
