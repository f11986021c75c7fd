import fc from 'fast-check';
import type { IConnectPacket, Packet } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/code-point.ts';
import { packet } from '../../../../test/support/mqtt.ts';
import { cases } from '../../../../test/support/soak.ts';
import { readConnect } from './connect-packet.ts';
import { readPacket, writePacket } from './control-packet.ts';
import { Frames } from './frames.ts';
import { REASONS } from './reason-codes.ts';

function read(bytes: Buffer, version: 4 | 5) {
  const frames = new Frames(100_000);
  frames.push(bytes);
  return frames.next() ? readPacket(frames.bytes, frames, version) : undefined;
}

const hex = (text: string) => Buffer.from(text.replace(/ /g, ''), 'hex');

/** CONNECT of version 5 with these flags and properties, and the client identifier `x`. */
function connect5(flags: string, properties: string, rest = '') {
  const length = hex(properties).length.toString(16).padStart(2, '0');
  return readConnect(hex(`00044d515454 05 ${flags} 003c ${length} ${properties} 000178 ${rest}`));
}

const reasonOf = (result: ReturnType<typeof readConnect>) =>
  'refusal' in result ? result.refusal.reasonCode : undefined;

describe('a CONNECT', () => {
  it.each([
    ['nothing forbidden', '02', '210001 2700000100', undefined],
    ['Receive Maximum 0', '02', '210000', REASONS.protocolError],
    ['Maximum Packet Size 0', '02', '2700000000', REASONS.protocolError],
    ['a property twice', '02', '210001 210001', REASONS.protocolError],
    ['two user properties', '02', '26 000161 000162 26 000161 000162', undefined],
    ['a property of another packet', '02', '230001', REASONS.malformedPacket],
    ['a property that there is not', '02', '7f00', REASONS.malformedPacket],
    ['a flag property of 2', '02', '1702', REASONS.protocolError],
    ['authentication data without a method', '02', '16000161', REASONS.protocolError],
    ['an authentication method', '02', '15000161', REASONS.badAuthenticationMethod],
    ['properties that are cut', '02', '21 00', REASONS.malformedPacket],
    ['the reserved flag', '03', '', REASONS.malformedPacket],
    ['a QoS for no will', '0a', '', REASONS.malformedPacket],
    ['retention for no will', '22', '', REASONS.malformedPacket],
    ['a surrogate in a user property', '02', '26 0003eda080 000162', REASONS.malformedPacket],
    ['an overlong form in a user property', '02', '26 0002c0af 000162', REASONS.malformedPacket],
    ['NUL in a user property', '02', '26 000100 000162', REASONS.malformedPacket],
  ])('of version 5 with %s', (_, flags, properties, expected) => {
    expect(reasonOf(connect5(flags, properties))).toBe(expected);
  });

  it.each([
    ['QoS 2', '16', '00 0001 74 0001 70', undefined],
    ['QoS 3', '1e', '00 0001 74 0001 70', REASONS.malformedPacket],
    ['a wildcard', '06', '00 0001 23 0001 70', REASONS.topicNameInvalid],
    ['no topic', '06', '00 0000 0001 70', REASONS.topicNameInvalid],
    ['a property of a CONNECT', '06', '03 210001 0001 74 0001 70', REASONS.malformedPacket],
    ['bytes after it', '06', '00 0001 74 0001 70 00', REASONS.malformedPacket],
    ['a payload that is cut', '06', '00 0001 74 0002 70', REASONS.malformedPacket],
  ])('with a will of %s', (_, flags, rest, expected) => {
    expect(reasonOf(connect5(flags, '', rest))).toBe(expected);
  });

  it.each([
    ['MQTT 6', '00044d515454 06 02 003c', 5, 1, 0x84],
    ['MQTT 3', '00044d515454 03 02 003c', 4, 1, 0x84],
    ['a bridge', '00044d515454 84 02 003c', 4, 1, 0x84],
    ['another protocol', '00044d515458 04 02 003c', 4, null, 0x81],
  ])(
    'of %s is refused in a form that its client can read',
    (_, bytes, version, returnCode, reasonCode) => {
      const result = readConnect(hex(bytes));
      expect(result).toEqual({ version, refusal: { returnCode, reasonCode } });
    },
  );

  it.each([
    ['a password without a user name', '42', '0001 70', null, REASONS.malformedPacket],
    ['no identifier for a session that is to be kept', '00', '', 2, 0x85],
  ])('of version 3.1.1 with %s is refused', (_, flags, rest, returnCode, reasonCode) => {
    const id = flags === '00' ? '0000' : '000178';
    const result = readConnect(hex(`00044d515454 04 ${flags} 003c ${id} ${rest}`));
    expect(result).toEqual({ version: 4, refusal: { returnCode, reasonCode } });
  });

  it('is read as mqtt-packet writes it', () => {
    const text = fc
      .string({ maxLength: 40, unit: codePoint })
      .map((each) => each.replace(/\0/g, ''));
    const wanted = fc.record({
      version: fc.constantFrom(4 as const, 5 as const),
      clientId: text.filter((each) => each !== ''),
      username: text.filter((each) => each !== ''),
      password: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      keepalive: fc.nat(65_535),
      qos: fc.constantFrom(0 as const, 1 as const, 2 as const),
      payload: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      receiveMaximum: fc.integer({ min: 1, max: 65_535 }),
    });
    fc.assert(
      fc.property(wanted, ({ version, qos, payload, receiveMaximum, ...given }) => {
        const sent: IConnectPacket = {
          ...given,
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: version,
          clean: true,
          will: { topic: 'will', payload, qos, retain: true },
          ...(version === 5 ? { properties: { receiveMaximum } } : {}),
        };
        const frames = new Frames(10_000);
        frames.push(writePacket(sent, version));
        expect(frames.next()).toBe(true);
        const found = readConnect(frames.bytes.subarray(frames.content, frames.end));
        expect(found).toMatchObject({
          version,
          clientId: given.clientId,
          username: given.username,
          keepAliveSeconds: given.keepalive,
          will: { topic: 'will', qos, isRetained: true },
          receiveMaximum: version === 5 ? receiveMaximum : 65_535,
        });
        expect('will' in found && found.will?.payload.equals(payload)).toBe(true);
        expect('password' in found && found.password?.equals(given.password)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe('any other packet', () => {
  it.each<[string, string, number]>([
    ['a SUBSCRIBE with other flags', '80 06 0001 00 0001 61', REASONS.malformedPacket],
    ['a SUBSCRIBE with identifier 0', '82 07 0000 00 0001 61 00', REASONS.protocolError],
    ['a SUBSCRIBE of QoS 3', '82 07 0001 00 0001 61 03', REASONS.malformedPacket],
    ['a SUBSCRIBE with reserved bits', '82 07 0001 00 0001 61 40', REASONS.malformedPacket],
    ['a SUBSCRIBE with retain handling 3', '82 07 0001 00 0001 61 30', REASONS.protocolError],
    ['a SUBSCRIBE without a filter', '82 03 0001 00', REASONS.protocolError],
    ['a subscription identifier of 0', '82 09 0001 02 0b00 0001 61 00', REASONS.protocolError],
    ['a filter that is no UTF-8', '82 07 0001 00 0001 ff 00', REASONS.malformedPacket],
    ['an UNSUBSCRIBE without a filter', 'a2 03 0001 00', REASONS.protocolError],
    ['a PUBACK for 0', '40 02 0000', REASONS.protocolError],
    ['a PUBACK with flags', '42 02 0001', REASONS.malformedPacket],
    ['a PUBREL without its flags', '60 02 0001', REASONS.malformedPacket],
    ['a PUBACK with a topic alias', '40 07 0001 00 03 230001', REASONS.malformedPacket],
    ['a PINGREQ with content', 'c0 01 00', REASONS.malformedPacket],
    ['a DISCONNECT with flags', 'e1 00', REASONS.malformedPacket],
    ['an unexpected AUTH', 'f0 00', REASONS.protocolError],
    ['a CONNACK', '20 03 00 00 00', REASONS.protocolError],
    ['a length in more bytes than it needs', '40 05 0001 00 80 00', REASONS.malformedPacket],
  ])('of version 5: %s is refused', (_, bytes, reason) => {
    expect(read(hex(bytes), 5)).toBe(reason);
  });

  it.each<[string, string, number]>([
    ['a SUBSCRIBE with an option of version 5', '82 06 0001 0001 61 04', REASONS.malformedPacket],
    ['a DISCONNECT with a reason', 'e0 01 00', REASONS.malformedPacket],
    ['an AUTH', 'f0 00', REASONS.malformedPacket],
  ])('of version 3.1.1: %s is refused', (_, bytes, reason) => {
    expect(read(hex(bytes), 4)).toBe(reason);
  });

  it.each<[Packet, object]>([
    [
      {
        cmd: 'subscribe',
        messageId: 7,
        subscriptions: [{ topic: 'a/#', qos: 2, nl: true, rap: true, rh: 1 }],
        properties: { subscriptionIdentifier: 300 },
      },
      {
        messageId: 7,
        identifier: 300,
        requests: [{ filter: 'a/#', qos: 2, isNoLocal: true, isRetainAsPublished: true }],
      },
    ],
    [{ cmd: 'unsubscribe', messageId: 8, unsubscriptions: ['a', 'b'] }, { filters: ['a', 'b'] }],
    [
      { cmd: 'puback', messageId: 9, reasonCode: 0x10 },
      { cmd: 'puback', reasonCode: 0x10 },
    ],
    [
      { cmd: 'pubrel', messageId: 9 },
      { cmd: 'pubrel', messageId: 9, reasonCode: 0 },
    ],
    [
      { cmd: 'disconnect', reasonCode: 4, properties: { sessionExpiryInterval: 5 } },
      { reasonCode: 4, sessionExpirySeconds: 5 },
    ],
  ])('is read as a well-known library wrote it: $cmd', (sent, expected) => {
    expect(read(writePacket(sent, 5), 5)).toMatchObject(expected);
  });

  it('of any bytes is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.uint8Array({ maxLength: 60 }),
        fc.boolean(),
        (header, bytes, isNew) => {
          const found = read(packet(header, Buffer.from(bytes)), isNew ? 5 : 4);
          if (typeof found === 'number') expect(Object.values(REASONS)).toContain(found);
          else expect(found?.cmd).toBeTypeOf('string');
          expect(readConnect(Buffer.from(bytes))).toBeTypeOf('object');
        },
      ),
      { numRuns: cases(50_000) },
    );
  });
});
