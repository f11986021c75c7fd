import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPacket, writePacket } from './control-packet.ts';
import { Frames } from './frames.ts';
import { readPublish } from './publish-packet.ts';
import { REASONS } from './reasons.ts';

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
  topic: fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
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
  it('is read as a well-known library wrote it', () => {
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
      { numRuns: 2_000 },
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
    ['a subscription identifier', [0x30, 6, 0, 1, 0x61, 2, 0x0b, 1], REASONS.protocolError],
  ])('of version 5 with %s is refused', (_, bytes, reason) => {
    expect(read(Buffer.from(bytes), 5)).toBe(reason);
  });
});

describe('any other packet', () => {
  it('of any bytes is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.uint8Array({ maxLength: 60 }),
        fc.boolean(),
        (header, bytes, isNew) => {
          const packet = readPacket(Buffer.from([header, bytes.length, ...bytes]), isNew ? 5 : 4);
          if (packet !== null) expect(packet.cmd).toBeTypeOf('string');
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
