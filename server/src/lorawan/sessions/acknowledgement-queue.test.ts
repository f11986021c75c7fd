import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { createDeferred } from '../../runtime/index.ts';
import { AcknowledgementQueue } from './acknowledgement-queue.ts';

const puback = (id: number) => Buffer.from([0x40, 2, 0, id]);
const PING = Buffer.from([0xc0, 0]);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const [inner, broker] = duplexPair();
  const acknowledgements = new AcknowledgementQueue(inner);
  const received: number[] = [];
  broker.on('data', (bytes: Buffer) => received.push(...bytes));
  const [first, second] = [createDeferred<void>(), createDeferred<void>()];
  acknowledgements.hold(first.promise);
  acknowledgements.hold(second.promise);
  return { acknowledgements, inner, broker, received, first, second };
}

it('acknowledgements wait for their messages, in their order, and other packets do not', async () => {
  const { acknowledgements, received, first, second } = start();
  const written = Buffer.concat([puback(1), PING, puback(2)]);
  // The library writes a packet in several parts.
  for (const byte of written) acknowledgements.stream.write(Buffer.from([byte]));
  await turn();
  expect(received).toEqual([...PING]);
  second.resolve();
  await turn();
  expect(received).toEqual([...PING]);
  first.resolve();
  await acknowledgements.released();
  await turn();
  expect(received).toEqual([...PING, ...puback(1), ...puback(2)]);
});

it('nothing is acknowledged after a message that was not stored', async () => {
  const { acknowledgements, received, first, second } = start();
  acknowledgements.stream.write(Buffer.concat([puback(1), puback(2)]));
  second.resolve();
  first.reject(new Error('not stored'));
  await acknowledgements.released();
  await turn();
  expect(received).toEqual([]);
});

it('packets of the broker are passed on, and a connection that closes closes the stream', async () => {
  const { acknowledgements, inner, broker } = start();
  const read: number[] = [];
  acknowledgements.stream.on('data', (bytes: Buffer) => read.push(...bytes));
  const closed = new Promise((resolve) => acknowledgements.stream.once('close', resolve));
  broker.write(Buffer.from([0xd0, 0]));
  await turn();
  expect(read).toEqual([0xd0, 0]);
  inner.destroy();
  await closed;
});
