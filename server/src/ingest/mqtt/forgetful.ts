import { Readable } from 'node:stream';

/** What the broker hands over of a packet with an identifier. */
interface Identified {
  readonly messageId?: number;
}

const nothing = async () => undefined;
const none = async () => [];
const noStream = () => Readable.from([]);

/**
 * What the broker keeps beside the connections: nothing. The service sends nothing to Devices, so
 * a session has nothing to outlive its connection with, and no client can fill the memory with
 * retained messages, wills or queues. Within a connection the identifiers of QoS 2 messages are
 * kept until the client releases them.
 */
export function createForgetfulPersistence() {
  const received = new WeakMap<object, Set<number>>();
  const idsOf = (client: object) => {
    const ids = received.get(client) ?? new Set<number>();
    received.set(client, ids);
    return ids;
  };
  return {
    async setup() {},
    storeRetained: nothing,
    createRetainedStream: noStream,
    createRetainedStreamCombi: noStream,
    addSubscriptions: nothing,
    removeSubscriptions: nothing,
    cleanSubscriptions: nothing,
    subscriptionsByClient: none,
    subscriptionsByTopic: none,
    outgoingEnqueue: nothing,
    outgoingEnqueueCombi: nothing,
    outgoingUpdate: nothing,
    outgoingClearMessageId: nothing,
    outgoingStream: noStream,
    async incomingStorePacket(client: object, { messageId }: Identified) {
      if (messageId !== undefined) idsOf(client).add(messageId);
    },
    async incomingGetPacket(client: object, packet: Identified) {
      if (!hasReceived(client, packet)) throw new Error('no such packet');
      return packet;
    },
    async incomingDelPacket(client: object, { messageId }: Identified) {
      if (messageId !== undefined) received.get(client)?.delete(messageId);
    },
    hasReceived,
    putWill: nothing,
    delWill: nothing,
    streamWill: noStream,
    destroy: nothing,
  };

  /** True while a QoS 2 message was received and not released: the same one again is a repetition. */
  function hasReceived(client: object, { messageId }: Identified): boolean {
    return messageId !== undefined && received.get(client)?.has(messageId) === true;
  }
}
