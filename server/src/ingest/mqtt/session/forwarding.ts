import type { Message } from '../relay/index.ts';
import type { QoS } from '../wire/index.ts';
import { matchesFilter } from '../wire/index.ts';
import type { Delivery } from './delivery-queue.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Subscription } from './subscribed-sessions.ts';

/**
 * Delivers a stored message to the subscribers of its Device at this node. The sender is null when
 * it is at another node.
 */
export function forward(sessions: Sessions, message: Message, sender: Session | null): void {
  for (const session of sessions.subscribersOf(message.deviceId)) {
    if (session.isRevoked) continue;
    const delivery = deliveryFor(session, message, session === sender);
    if (delivery) session.link.deliver(delivery);
  }
}

/** One message for all subscriptions of a session that match, at the highest QoS among them. */
function deliveryFor(session: Session, message: Message, isOwn: boolean): Delivery | null {
  const { topic, payload, properties, expiresAt } = message;
  let best: Subscription | undefined;
  const subscriptionIdentifiers: number[] = [];
  for (const [filter, subscription] of session.subscriptions) {
    if (subscription.isNoLocal && isOwn) continue;
    if (!matchesFilter(filter, topic)) continue;
    if (subscription.identifier !== null) subscriptionIdentifiers.push(subscription.identifier);
    if (best === undefined || subscription.qos > best.qos) best = subscription;
  }
  if (best === undefined) return null;
  return {
    topic,
    payload,
    qos: Math.min(message.qos, best.qos) as QoS,
    isRetained: message.isRetained && best.isRetainAsPublished,
    properties,
    expiresAt,
    subscriptionIdentifiers,
  };
}
