import fc from 'fast-check';
import { parser } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/code-point.ts';
import { cases } from '../../../../test/support/soak.ts';
import { writePacket } from './control-packet.ts';
import { Frames } from './frames.ts';
import { readPublish, writePublish } from './publish-packet.ts';
import { REASONS } from './reason-codes.ts';

function read(bytes: Buffer, version: 4 | 5) {
  const frames = new Frames(100_000);
  frames.push(bytes);
  if (!frames.next()) return undefined;
  const head = readPublish(frames, version);
  if (typeof head === 'number') return head;
  const { qos, messageId, topicStart, topicEnd, alias, payloadStart } = head;
  return {
    qos,
    messageId,
    alias,
    topic: frames.bytes.toString('utf8', topicStart, topicEnd),
    payload: frames.bytes.toString('hex', payloadStart, frames.end),
  };
}

const messages = fc.record({
  version: fc.constantFrom(4 as const, 5 as const),
  qos: fc.constantFrom(0 as const, 1 as const, 2 as const),
  messageId: fc.integer({ min: 1, max: 65_535 }),
  topic: fc.string({ minLength: 1, maxLength: 60, unit: codePoint }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  properties: fc.record(
    {
      topicAlias: fc.integer({ min: 1, max: 65_535 }),
      contentType: fc.string({ maxLength: 200 }),
      userProperties: fc.record({ a: fc.array(fc.string(), { minLength: 2, maxLength: 2 }) }),
    },
    { requiredKeys: [] },
  ),
});

describe('a PUBLISH', () => {
  it('is read as mqtt-packet writes it', () => {
    fc.assert(
      fc.property(messages, ({ version, qos, messageId, topic, payload, properties }) => {
        const packet = { cmd: 'publish', qos, topic, payload, dup: false, retain: false } as const;
        const bytes = writePacket({ ...packet, messageId, properties }, version);
        expect(read(bytes, version)).toEqual({
          qos,
          messageId: qos === 0 ? 0 : messageId,
          topic,
          payload: payload.toString('hex'),
          alias: version === 5 ? (properties.topicAlias ?? 0) : 0,
        });
      }),
    );
  });

  it('of any bytes is read within its bounds or refused, and never throws', () => {
    const content = fc.uint8Array({ maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), content, fc.boolean(), (flags, bytes, isNew) => {
        const packet = Buffer.from([0x30 | flags, bytes.length, ...bytes]);
        const found = read(packet, isNew ? 5 : 4);
        if (typeof found === 'number') expect(Object.values(REASONS)).toContain(found);
        else expect(found?.topic).toBeTypeOf('string');
      }),
      { numRuns: cases(20_000) },
    );
  });

  it.each([
    ['QoS 3', Buffer.from([0x36, 5, 0, 1, 0x61, 0, 1]), REASONS.malformedPacket],
    ['a repetition without an identifier', Buffer.from([0x38, 3, 0, 1, 0x61]), 0x81],
    ['identifier 0', Buffer.from([0x32, 5, 0, 1, 0x61, 0, 0]), REASONS.protocolError],
    ['a topic that ends after the packet', Buffer.from([0x30, 3, 0, 9, 0x61]), 0x81],
    ['nothing at all', Buffer.from([0x30, 0]), 0x81],
  ])('with %s is refused', (_, bytes, reason) => {
    expect(read(bytes, 4)).toBe(reason);
  });

  it.each([
    ['properties that end after the packet', [0x30, 4, 0, 1, 0x61, 9], REASONS.malformedPacket],
    ['topic alias 0', [0x30, 7, 0, 1, 0x61, 3, 0x23, 0, 0], REASONS.topicAliasInvalid],
    ['a topic alias twice', [0x30, 10, 0, 1, 0x61, 6, 0x23, 0, 1, 0x23, 0, 1], 0x82],
    ['a property of a CONNECT', [0x30, 7, 0, 1, 0x61, 3, 0x21, 0, 1], REASONS.malformedPacket],
    ['a response topic with a wildcard', [0x30, 8, 0, 1, 0x61, 4, 8, 0, 1, 0x23], 0x82],
    ['a subscription identifier', [0x30, 6, 0, 1, 0x61, 2, 0x0b, 1], REASONS.protocolError],
  ])('of version 5 with %s is refused', (_, bytes, reason) => {
    expect(read(Buffer.from(bytes), 5)).toBe(reason);
  });
});

describe('a PUBLISH to a subscriber', () => {
  it('is read by mqtt-packet, with its properties in their order', () => {
    const properties = Buffer.from(
      '0101 03000174 26000162000131 26000161000132'.replace(/ /g, ''),
      'hex',
    );
    const bytes = writePublish(
      {
        topic: 'größe',
        payload: Buffer.from('payload'),
        qos: 1,
        isRetained: true,
        messageId: 258,
        properties,
        expirySeconds: 90_000,
        subscriptionIdentifiers: [1, 300],
      },
      5,
    );
    const found: unknown[] = [];
    parser({ protocolVersion: 5 })
      .on('packet', (packet) => found.push(packet))
      .parse(bytes);
    expect(found).toMatchObject([
      {
        topic: 'größe',
        payload: Buffer.from('payload'),
        qos: 1,
        retain: true,
        messageId: 258,
        properties: {
          payloadFormatIndicator: true,
          contentType: 't',
          messageExpiryInterval: 90_000,
          subscriptionIdentifier: [1, 300],
        },
      },
    ]);
    expect(bytes.includes(properties)).toBe(true);
  });
});
