import { describe, expect, it } from 'vitest';
import { REASONS } from '../wire/reason-codes.ts';
import { type Delivery, DeliveryQueue } from './delivery-queue.ts';

const LIMITS = { maxMessages: 3, maxBytes: 100 };

function message(text: string, qos: 0 | 1 | 2 = 1): Delivery {
  return {
    topic: '',
    payload: Buffer.from(text),
    qos,
    isRetained: false,
    properties: Buffer.alloc(0),
    expiresAt: null,
    subscriptionIdentifiers: [],
  };
}

/** Sends what may be sent, and returns it with its identifiers. */
function send(queue: DeliveryQueue): string[] {
  const sent: string[] = [];
  for (;;) {
    const delivery = queue.next();
    if (delivery === undefined) return sent;
    sent.push(`${queue.begin(delivery.qos)} ${delivery.payload}`);
  }
}

function filled(receiveMaximum: number, ...messages: readonly Delivery[]): DeliveryQueue {
  const queue = new DeliveryQueue(receiveMaximum, { maxMessages: 1_000, maxBytes: 1_000 });
  for (const each of messages) expect(queue.add(each)).toBe(true);
  return queue;
}

describe('the queue of messages to a subscriber', () => {
  it('sends no more than the Receive Maximum at a time, and the rest in order after acknowledgements', () => {
    const queue = filled(2, message('a'), message('b'), message('c'), message('d', 0));
    expect(send(queue)).toEqual(['1 a', '2 b']);
    expect(queue.acknowledged('PUBACK', 2)).toBeUndefined();
    expect(send(queue)).toEqual(['3 c', '0 d']);
    expect(queue.length).toBe(0);
  });

  it('sends at most 100 unacknowledged messages to a client that set no limit', () => {
    const queue = filled(65_535, ...Array.from({ length: 101 }, () => message('x')));
    expect(send(queue)).toHaveLength(100);
    expect(queue.length).toBe(1);
  });

  it.each([
    [2, true],
    [3, false],
  ])('with %i of 3 messages queued accepts another: %s', (count, expected) => {
    const queue = new DeliveryQueue(1, LIMITS);
    for (let at = 0; at < count; at += 1) queue.add(message('x'));
    expect(queue.add(message('x'))).toBe(expected);
  });

  it.each([
    [99, true],
    [100, true],
    [101, false],
  ])('accepts %i of 100 bytes: %s', (bytes, expected) => {
    expect(new DeliveryQueue(1, LIMITS).add(message('x'.repeat(bytes)))).toBe(expected);
  });

  it('accepts further messages after others were sent', () => {
    const queue = new DeliveryQueue(1, LIMITS);
    for (let round = 0; round < 1_100; round += 1) {
      expect(queue.add(message('x'.repeat(60), 0))).toBe(true);
      expect(queue.add(message('x'.repeat(60), 0))).toBe(false);
      expect(send(queue)).toHaveLength(1);
    }
  });

  it('never assigns an identifier that is in use', () => {
    const queue = new DeliveryQueue(100, LIMITS);
    expect(queue.begin(1)).toBe(1);
    for (let count = 0; count < 65_534; count += 1) queue.acknowledged('PUBACK', queue.begin(1));
    expect(queue.begin(1)).toBe(2);
  });

  it('holds a QoS 2 message in flight until PUBCOMP', () => {
    const queue = filled(1, message('a', 2), message('b', 2));
    expect(send(queue)).toEqual(['1 a']);
    expect(queue.received(1, 0)).toBe(0);
    expect(send(queue)).toEqual([]);
    expect(queue.acknowledged('PUBCOMP', 1)).toBeUndefined();
    expect(send(queue)).toEqual(['2 b']);
  });

  it('removes a QoS 2 message that the client refuses', () => {
    const queue = filled(1, message('a', 2), message('b', 2));
    send(queue);
    expect(queue.received(1, REASONS.quotaExceeded)).toBeNull();
    expect(send(queue)).toEqual(['2 b']);
  });

  it('answers for unknown identifiers, and refuses an acknowledgement of the wrong kind', () => {
    const queue = filled(2, message('a', 1), message('b', 2));
    send(queue);
    expect(queue.acknowledged('PUBACK', 9)).toBeUndefined();
    expect(queue.received(9, 0)).toBe(REASONS.packetIdentifierNotFound);
    expect(queue.acknowledged('PUBCOMP', 1)).toBe(REASONS.protocolError);
    expect(queue.acknowledged('PUBACK', 2)).toBe(REASONS.protocolError);
  });
});
