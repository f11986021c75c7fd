import type { ISubackPacket, IUnsubackPacket } from 'mqtt-packet';
import type { SubscribePacket, UnsubscribePacket } from './control-packet.ts';
import type { ProtocolVersion } from './protocol.ts';
import { type Fault, REASONS } from './reason-codes.ts';
import { isFilter, isShared } from './topic.ts';

/** The return code of a refused filter before version 5. */
const REFUSED = 0x80;
const NO_SUBSCRIPTION = 0x11;

/** The reason to close the connection for a SUBSCRIBE, if there is one. */
export function subscribeFault({ requests }: SubscribePacket): Fault | undefined {
  for (const { filter, isNoLocal } of requests) {
    if (!isFilter(filter)) return REASONS.topicFilterInvalid;
    if (isShared(filter) && isNoLocal) return REASONS.protocolError;
  }
  return undefined;
}

/** The reason code of a filter that was not granted. */
export function refusedFilter(filter: string, version: ProtocolVersion): number {
  if (version < 5) return REFUSED;
  return isShared(filter) ? REASONS.sharedSubscriptionsNotSupported : REASONS.notAuthorized;
}

export function suback(messageId: number, granted: number[]): ISubackPacket {
  return { cmd: 'suback', messageId, granted };
}

/** The reply to an UNSUBSCRIBE, or the reason to close the connection. */
export function unsuback(
  { messageId, filters }: UnsubscribePacket,
  remove: (filter: string) => boolean,
): IUnsubackPacket | Fault {
  if (!filters.every(isFilter)) return REASONS.topicFilterInvalid;
  const granted = filters.map((filter) => (remove(filter) ? 0 : NO_SUBSCRIPTION));
  return { cmd: 'unsuback', messageId, granted };
}
