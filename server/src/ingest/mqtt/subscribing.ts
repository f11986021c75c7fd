import type {
  ISubackPacket,
  ISubscribePacket,
  IUnsubackPacket,
  IUnsubscribePacket,
} from 'mqtt-packet';
import type { ProtocolVersion } from './control-packet.ts';
import type { Fault } from './publish-packet.ts';
import { REASONS, type Refused } from './reasons.ts';
import type { Session, Sessions } from './sessions.ts';
import { isFilter, maySubscribe } from './topic.ts';

/** What was refused before version 5 had reasons. */
const REFUSED = 0x80;
const NO_SUBSCRIPTION = 0x11;

/** Answers a SUBSCRIBE, or tells why the connection is to be closed. */
export function subscribed(
  sessions: Sessions,
  session: Session,
  { messageId, subscriptions, properties }: ISubscribePacket,
  version: ProtocolVersion,
  onRefused: (what: Refused) => void,
): ISubackPacket | Fault {
  if (!messageId || subscriptions.length === 0) return REASONS.protocolError;
  if (properties?.subscriptionIdentifier !== undefined) {
    return REASONS.subscriptionIdentifiersNotSupported;
  }
  if (!subscriptions.every(({ topic }) => isFilter(topic))) return REASONS.topicFilterInvalid;
  const granted = subscriptions.map(({ topic, qos, nl = false }) => {
    if (!maySubscribe(session.topic, topic)) {
      onRefused('subscription');
      return version === 5 ? REASONS.notAuthorized : REFUSED;
    }
    const given = qos === 0 ? 0 : 1;
    sessions.subscribe(session, { qos: given, isForOthers: nl });
    return given;
  });
  return { cmd: 'suback', messageId, granted };
}

export function unsubscribed(
  sessions: Sessions,
  session: Session,
  { messageId, unsubscriptions }: IUnsubscribePacket,
): IUnsubackPacket | Fault {
  if (!messageId || unsubscriptions.length === 0) return REASONS.protocolError;
  if (!unsubscriptions.every(isFilter)) return REASONS.topicFilterInvalid;
  const granted = unsubscriptions.map((filter) => {
    if (session.subscription === null || !maySubscribe(session.topic, filter)) {
      return NO_SUBSCRIPTION;
    }
    sessions.subscribe(session, null);
    return 0;
  });
  return { cmd: 'unsuback', messageId, granted };
}
