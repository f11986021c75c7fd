import {
  createDeferred,
  listenFailure,
  moduleBeside,
  startThread,
} from '../../../runtime/index.ts';
import { type Listener, type ListenerOptions, SETTING } from './listening.ts';
import { RecordSender } from './record-sender.ts';
import { type Bound, FROM_THREAD, STOP_LISTENING, type ThreadOptions, WAKE } from './records.ts';
import { createRingMemory, RingReader, RingWriter, type Visit } from './ring.ts';
import { ThreadConnection } from './thread-connection.ts';

/** It only passes bytes on, and its garbage is short-lived. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** Has the sockets in a thread of their own, with TCP and kernel calls taken from the main thread. */
export async function listenInThread(options: ListenerOptions): Promise<Listener> {
  const { host, port, maxConnections, onConnection } = options;
  const [fromThread, toThread] = [createRingMemory(), createRingMemory()];
  const workerData: ThreadOptions = { host, port, maxConnections, fromThread, toThread };
  const worker = startThread(moduleBeside(import.meta.url, 'worker'), {
    workerData,
    resourceLimits: RESOURCE_LIMITS,
  });
  const wake = () => worker.postMessage(WAKE);
  const sender = new RecordSender(new RingWriter(toThread, wake));
  const reader = new RingReader(fromThread, wake);
  const visit = createVisit(sender, onConnection);
  const look = () => {
    sender.retry();
    if (reader.read(visit)) setImmediate(look);
  };
  const bound = createDeferred<Bound>();
  worker.on('message', (message: Bound | typeof WAKE) => {
    if (message === WAKE) look();
    else bound.resolve(message);
  });
  // A defect, as one in the main thread would be: the process ends.
  worker.on('error', (error) => {
    throw error;
  });
  look();
  const result = await bound.promise;
  if ('failure' in result) {
    await worker.terminate();
    const error = Object.assign(new Error(), result.failure);
    throw listenFailure(error, { setting: SETTING, host, port });
  }
  return {
    port: result.port,
    renewCertificate: () => undefined,
    stop: () => worker.postMessage(STOP_LISTENING),
    async end() {
      await worker.terminate();
    },
  };
}

function createVisit(sender: RecordSender, onConnection: ListenerOptions['onConnection']): Visit {
  const connections = new Map<number, ThreadConnection>();
  const open = (id: number, address: string) => {
    const connection = new ThreadConnection(id, sender);
    connections.set(id, connection);
    connection.once('close', () => connections.delete(id));
    onConnection(connection, address);
  };
  return (id, kind, content) => {
    if (kind === FROM_THREAD.opened) open(id, content.toString());
    else if (kind === FROM_THREAD.received) connections.get(id)?.emit('data', content);
    else if (kind === FROM_THREAD.flushed) connections.get(id)?.flushed();
    else connections.get(id)?.closedThere();
  };
}
