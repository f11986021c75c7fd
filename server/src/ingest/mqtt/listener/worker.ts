import { createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { createReceiveBuffer } from './receive-buffer.ts';
import { RecordSender } from './record-sender.ts';
import { type Bound, FROM_THREAD, type ThreadOptions, TO_THREAD, WAKE } from './records.ts';
import { RingReader, RingWriter } from './ring.ts';
import { tuned } from './tuned.ts';

/**
 * The thread that has the sockets of the MQTT port. It knows nothing of MQTT: it passes bytes to the
 * main thread and from there.
 */
interface Entry {
  readonly socket: Socket;
  /** The main thread wants no bytes now. */
  isPaused: boolean;
  /** Its last bytes wait for room in the ring. */
  isHeld: boolean;
}

const main = parentPort;
if (!main) throw new Error('this module is for a worker thread');
const { host, port, maxConnections, fromThread, toThread } = workerData as ThreadOptions;
const wake = () => main.postMessage(WAKE);
const sender = new RecordSender(new RingWriter(fromThread, wake));
const reader = new RingReader(toThread, wake);
const received = createReceiveBuffer();
const entries = new Map<number, Entry>();
let lastId = 0;

function accept(accepted: Socket): void {
  if (entries.size >= maxConnections) {
    accepted.destroy();
    return;
  }
  const address = accepted.remoteAddress ?? '';
  const socket = tuned(received(accepted)).pause();
  lastId += 1;
  const id = lastId;
  const entry: Entry = { socket, isPaused: true, isHeld: false };
  entries.set(id, entry);
  sender.send(id, FROM_THREAD.opened, Buffer.from(address));
  socket.on('data', (chunk: Buffer) => {
    if (!sender.send(id, FROM_THREAD.received, chunk)) hold(entry);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    entries.delete(id);
    sender.send(id, FROM_THREAD.closed);
  });
}

function hold(entry: Entry): void {
  entry.socket.pause();
  if (entry.isHeld) return;
  entry.isHeld = true;
  sender.whenRoom(() => {
    entry.isHeld = false;
    if (!entry.isPaused) entry.socket.resume();
  });
}

function obey(id: number, kind: number, content: Buffer): void {
  const entry = entries.get(id);
  if (entry === undefined) return;
  const { socket } = entry;
  switch (kind) {
    case TO_THREAD.write:
      socket.write(Buffer.from(content));
      break;
    case TO_THREAD.flush:
      if (socket.writableNeedDrain)
        socket.once('drain', () => sender.send(id, FROM_THREAD.flushed));
      else sender.send(id, FROM_THREAD.flushed);
      break;
    case TO_THREAD.pause:
      entry.isPaused = true;
      socket.pause();
      break;
    case TO_THREAD.resume:
      entry.isPaused = false;
      if (!entry.isHeld) socket.resume();
      break;
    case TO_THREAD.end:
      socket.end();
      break;
    case TO_THREAD.destroy:
      socket.destroy();
      break;
  }
}

function look(): void {
  sender.retry();
  if (reader.read(obey)) setImmediate(look);
}

const report = (bound: Bound) => main.postMessage(bound);
const server = createServer({ pauseOnConnect: true }, accept);
main.on('message', (message: unknown) => {
  if (message === WAKE) look();
  else server.close();
});
// After the bind, an error concerns one connection that could not be accepted, and is ignored.
server.on('error', ({ code, message }: NodeJS.ErrnoException) =>
  report({ failure: { name: 'Error', message, ...(code ? { code } : {}) } }),
);
server.listen({ host, port }, () => {
  const address = server.address();
  report({ port: typeof address === 'object' && address ? address.port : port });
});
look();
