import { Duplex } from 'node:stream';
import { parser } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../../../test/support/clock.ts';
import type { Caller } from '../../../http/index.ts';
import { readConnect } from '../wire/connect-packet.ts';
import { PacketWriter } from '../wire/packet-writer.ts';
import { REASONS } from '../wire/reason-codes.ts';
import { createAlarmSubscribers } from './alarm-subscribers.ts';
import { SubscriberSession } from './subscriber-session.ts';

const reader: Caller = {
  kind: 'API_KEY',
  id: 'key',
  name: 'Key',
  sessionId: null,
  permissionsIn: () => new Set(['ReadAlarmConfigurations']),
};

/** A session that gets alarm events of `org` at QoS 1, of a key whose checks the test answers. */
async function rig(authenticate: () => Promise<Caller> = async () => reader) {
  const sent: number[] = [];
  const packets = parser({ protocolVersion: 5 });
  packets.on('packet', (packet) => {
    if (packet.cmd === 'publish') sent.push(Number(JSON.parse(packet.payload.toString()).id));
  });
  const stream = new Duplex({
    read: () => undefined,
    write(chunk, _encoding, done) {
      packets.parse(chunk);
      done();
    },
  });
  const faults: number[] = [];
  const undelivered: string[] = [];
  const connect = Buffer.from('00044d51545405020000 00 000178'.replace(/ /g, ''), 'hex');
  const options = readConnect(connect);
  if ('refusal' in options) throw new Error('not a CONNECT');
  const writer = new PacketWriter(stream);
  writer.version = 5;
  const alarmSubscribers = createAlarmSubscribers({ authenticate, begin: async () => undefined });
  const session: SubscriberSession = new SubscriberSession({
    authorization: '',
    address: '',
    options,
    writer,
    alarmSubscribers,
    clock: createTestClock(),
    onRefused: () => undefined,
    onUndelivered: (reason) => undelivered.push(reason),
    onFault(reasonCode) {
      faults.push(reasonCode);
      session.end();
    },
  });
  session.subscriptions.set('org', { qos: 1, identifier: null });
  const announce = (from: number, count: number) => {
    for (let id = from; id < from + count; id += 1) {
      alarmSubscribers.announceAlarm('org', { id: String(id), change: 'RAISED', event: {} });
    }
  };
  return { session, announce, sent, faults, undelivered };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('alarm events for a client that does not acknowledge them', () => {
  it('wait up to 10 000, are all sent in order when it does, and beyond end the session with 0x97', async () => {
    const { session, announce, sent, faults, undelivered } = await rig();
    announce(0, 100);
    await turn();
    announce(100, 10_000);
    await turn();
    expect([sent.length, faults]).toEqual([100, []]);
    for (let id = 1; id <= 10_100; id += 1) {
      session.handlePacket({ cmd: 'puback', messageId: id, reasonCode: 0 });
    }
    expect(sent).toEqual(upTo(10_100));
    announce(10_100, 100);
    await turn();
    announce(10_200, 10_000);
    await turn();
    expect(faults).toEqual([]);
    announce(20_200, 1);
    await turn();
    expect([faults, undelivered]).toEqual([[REASONS.quotaExceeded], ['queueFull']]);
  });

  it('end the session with 0x97 when the check of the key takes too long', async () => {
    const { announce, faults } = await rig(() => new Promise(() => undefined));
    announce(0, 10_000);
    await turn();
    expect(faults).toEqual([]);
    announce(10_000, 1);
    expect(faults).toEqual([REASONS.quotaExceeded]);
  });
});

describe('alarm events while the key is checked', () => {
  it('keep their order whichever check is answered first', async () => {
    const answers: (() => void)[] = [];
    const check = () => new Promise<Caller>((resolve) => answers.push(() => resolve(reader)));
    const { announce, sent } = await rig(check);
    for (let id = 0; id < 4; id += 1) announce(id, 1);
    while (sent.length < 4) {
      answers.pop()?.();
      await turn();
    }
    expect(sent).toEqual([0, 1, 2, 3]);
  });
});
