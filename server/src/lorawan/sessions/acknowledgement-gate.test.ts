import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { createDeferred } from '../../runtime/index.ts';
import { AcknowledgementGate } from './acknowledgement-gate.ts';

const puback = (id: number) => Buffer.from([0x40, 2, 0, id]);
const PING = Buffer.from([0xc0, 0]);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const [inner, broker] = duplexPair();
  const gate = new AcknowledgementGate(inner);
  const received: number[] = [];
  broker.on('data', (bytes: Buffer) => received.push(...bytes));
  const [first, second] = [createDeferred<void>(), createDeferred<void>()];
  gate.hold(first.promise);
  gate.hold(second.promise);
  return { gate, inner, broker, received, first, second };
}

it('acknowledgements wait for their messages, in their order, and other packets do not', async () => {
  const { gate, received, first, second } = start();
  const written = Buffer.concat([puback(1), PING, puback(2)]);
  // The library writes a packet in several parts.
  for (const byte of written) gate.stream.write(Buffer.from([byte]));
  await turn();
  expect(received).toEqual([...PING]);
  second.resolve();
  await turn();
  expect(received).toEqual([...PING]);
  first.resolve();
  await gate.released();
  await turn();
  expect(received).toEqual([...PING, ...puback(1), ...puback(2)]);
});

it('nothing is acknowledged after a message that was not stored', async () => {
  const { gate, received, first, second } = start();
  gate.stream.write(Buffer.concat([puback(1), puback(2)]));
  second.resolve();
  first.reject(new Error('not stored'));
  await gate.released();
  await turn();
  expect(received).toEqual([]);
});

it('packets of the broker are passed on, and a connection that closes closes the stream', async () => {
  const { gate, inner, broker } = start();
  const read: number[] = [];
  gate.stream.on('data', (bytes: Buffer) => read.push(...bytes));
  const closed = new Promise((resolve) => gate.stream.once('close', resolve));
  broker.write(Buffer.from([0xd0, 0]));
  await turn();
  expect(read).toEqual([0xd0, 0]);
  inner.destroy();
  await closed;
});
