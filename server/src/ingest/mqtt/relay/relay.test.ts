import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStillClock } from '../../../../test/support/clock.ts';
import type { PeerHandler } from '../../../nodes/index.ts';
import { createDeferred, createLog } from '../../../runtime/index.ts';
import type { Message } from './message.ts';
import { Relay } from './relay.ts';

const DEVICE = 'device';
const eventually = { timeout: 10_000, interval: 10 };

const message = (text: string, rest: Partial<Message> = {}): Message => ({
  deviceId: DEVICE,
  topic: `fieldwatch/organization/${DEVICE}/n`,
  payload: Buffer.from(text),
  qos: 1,
  isRetained: false,
  properties: Buffer.alloc(0),
  expiresAt: null,
  ...rest,
});

type Fault = 'UNREACHABLE' | 'ANSWER_LOST' | 'SILENT';

/** Nodes that call each other in memory. */
function network() {
  const handlers = new Map<string, PeerHandler>();
  const nodes: { id: string; epoch: number; lostAt: number | null }[] = [];
  /** By node: what becomes of the next calls to it. */
  const faults = new Map<string, Fault>();
  const clock = createStillClock();

  async function callNode(from: string, to: string, method: string, body: Buffer) {
    const fault = faults.get(to);
    if (fault === 'UNREACHABLE') throw new Error('The node is not reached.');
    if (fault === 'SILENT') await createDeferred<void>().promise;
    const answer = await handlers.get(`${to}/${method}`)?.(body, from);
    if (fault === 'ANSWER_LOST') {
      faults.delete(to);
      throw new Error('The answer is lost.');
    }
    if (!answer) throw new Error('The node does not know the method.');
    return answer;
  }

  function add(id: string, epoch: number) {
    const subscribed = new Set<string>();
    const received: Message[] = [];
    const dropped = vi.fn();
    nodes.push({ id, epoch, lostAt: null });
    const relay = new Relay({
      peers: {
        serve: (method, handler) => void handlers.set(`${id}/${method}`, handler),
        call: (to, method, body) => callNode(id, to, method, body),
      },
      membership: {
        nodes: nodes as never,
        get hasPeers() {
          return nodes.some((node) => node.id !== id && node.lostAt === null);
        },
        incarnation: { id, epoch },
      },
      clock,
      log: createLog('silent'),
      local: { devices: () => subscribed, has: (deviceId) => subscribed.has(deviceId) },
      deliver: (each) => void received.push(each),
      onDropped: dropped,
    });
    const set = (isSubscribed: boolean, deviceId = DEVICE) => {
      if (isSubscribed) subscribed.add(deviceId);
      else subscribed.delete(deviceId);
      relay.subscribersChanged(deviceId);
      return relay.announced();
    };
    onTestFinished(() => relay.stop(0));
    return { relay, set, dropped, received, texts: () => received.map(textOf) };
  }

  const lose = (id: string) => {
    for (const node of nodes) if (node.id === id) node.lostAt = 0;
  };
  return { add, lose, faults, clock };
}

const textOf = ({ payload }: Message) => payload.toString();

async function startTwo() {
  const all = network();
  const [publisher, subscriber] = [all.add('publisher', 1), all.add('subscriber', 2)];
  await Promise.all([publisher.relay.start(), subscriber.relay.start()]);
  return { ...all, publisher, subscriber };
}

describe('a subscription', () => {
  it('is announced when the other nodes know it, and so is its end', async () => {
    const { publisher, subscriber } = await startTwo();
    expect(publisher.relay.hasSubscribers(DEVICE)).toBe(false);
    await subscriber.set(true);
    expect(publisher.relay.hasSubscribers(DEVICE)).toBe(true);
    expect(publisher.relay.hasSubscribers('another')).toBe(false);
    expect(subscriber.relay.announced()).toBeUndefined();
    await subscriber.set(false);
    expect(publisher.relay.hasSubscribers(DEVICE)).toBe(false);
  });

  it('costs a node alone nothing', async () => {
    const { relay, set } = network().add('sole', 1);
    await relay.start();
    expect(set(true)).toBeUndefined();
    expect(relay.hasSubscribers(DEVICE)).toBe(false);
    expect(relay.pass(message('1'))).toBeUndefined();
  });

  it('is acknowledged within a second when another node does not answer, and reported later', async () => {
    const { publisher, subscriber, faults } = await startTwo();
    faults.set('publisher', 'UNREACHABLE');
    await Promise.all([subscriber.set(true), subscriber.set(true, 'another')]);
    expect(publisher.relay.hasSubscribers(DEVICE)).toBe(false);
    faults.clear();
    await expect
      .poll(() => [DEVICE, 'another'].map((id) => publisher.relay.hasSubscribers(id)), eventually)
      .toEqual([true, true]);
  });

  it('is known to a node that joins before this node accepts clients', async () => {
    const { add, subscriber } = await startTwo();
    await subscriber.set(true);
    const joined = add('joined', 3);
    await joined.relay.start();
    expect(joined.relay.hasSubscribers(DEVICE)).toBe(true);
  });
});

describe('a message', () => {
  it('reaches the subscribers of its Device at the other node, in order and with its remaining time', async () => {
    const { publisher, subscriber, clock } = await startTwo();
    await subscriber.set(true);
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const expiresAt = clock.now() + 5_000;
    await Promise.all(texts.map((text) => publisher.relay.pass(message(text, { expiresAt }))));
    expect(subscriber.texts()).toEqual(texts);
    expect(subscriber.received[0]).toEqual(message('0', { expiresAt }));
    await publisher.relay.pass(message('other', { deviceId: 'another' }));
    expect(subscriber.texts()).toEqual(texts);
  });

  it('is delivered once when the answer of the other node is lost', async () => {
    const { publisher, subscriber, faults } = await startTwo();
    await subscriber.set(true);
    faults.set('subscriber', 'ANSWER_LOST');
    await publisher.relay.pass(message('1'));
    await publisher.relay.pass(message('2'));
    expect(subscriber.texts()).toEqual(['1', '2']);
  });

  it('is not awaited at QoS 0, and still sent before a stop', async () => {
    const { publisher, subscriber } = await startTwo();
    await subscriber.set(true);
    expect(publisher.relay.pass(message('1', { qos: 0 }))).toBeUndefined();
    await publisher.relay.stop(5_000);
    expect(subscriber.texts()).toEqual(['1']);
  });

  it('is awaited until the node of its subscribers is lost', async () => {
    const { publisher, subscriber, faults, lose } = await startTwo();
    await subscriber.set(true);
    faults.set('subscriber', 'UNREACHABLE');
    const passed = publisher.relay.pass(message('1'));
    lose('subscriber');
    await passed;
    expect(publisher.relay.hasSubscribers(DEVICE)).toBe(false);
    expect(subscriber.texts()).toEqual([]);
  });

  it('is awaited for five seconds while a node does not answer', async () => {
    const { publisher, subscriber, faults } = await startTwo();
    await subscriber.set(true);
    faults.set('subscriber', 'SILENT');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const passed = vi.fn();
    void publisher.relay.pass(message('1'))?.then(passed);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(passed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(passed).toHaveBeenCalled();
  });

  it('beyond 4 MiB of waiting messages is dropped and counted', async () => {
    const { publisher, subscriber, faults } = await startTwo();
    await subscriber.set(true);
    faults.set('subscriber', 'UNREACHABLE');
    const payload = Buffer.alloc(256 * 1024);
    for (let count = 0; count < 17; count += 1) publisher.relay.pass(message('', { payload }));
    // The topic counts too.
    expect(publisher.dropped).toHaveBeenCalledTimes(2);
    faults.clear();
    await expect.poll(() => subscriber.received.length, eventually).toBe(15);
  });
});
