export { connack, refusalConnack, TOPIC_ALIASES } from './connack.ts';
export { type ConnectOptions, readConnect, type Will } from './connect-packet.ts';
export {
  type AcknowledgementPacket,
  type ControlPacket,
  readPacket,
  type SubscribePacket,
  type SubscriptionRequest,
} from './control-packet.ts';
export { Frames } from './frames.ts';
export { PacketWriter, PUBACK, PUBCOMP, PUBREC } from './packet-writer.ts';
export { PROPERTY } from './properties.ts';
export type { ProtocolVersion, QoS } from './protocol.ts';
export { type PublishHead, readPublish } from './publish-packet.ts';
export {
  CONNECT_REFUSALS,
  type ConnectRefusal,
  type Fault,
  REASONS,
  type Refused,
} from './reason-codes.ts';
export { refusedFilter, suback, subscribeFault, unsuback } from './suback.ts';
export {
  ALL_TOPICS,
  addressOf,
  deviceTopic,
  isPublishable,
  isWithinLimits,
  matchesFilter,
  maySubscribe,
  suffixBelow,
  type TopicAddress,
} from './topic.ts';
