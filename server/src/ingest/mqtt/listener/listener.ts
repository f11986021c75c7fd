import type { Listener, ListenerOptions } from './listening.ts';
import { listenWithSockets } from './socket-listener.ts';
import { listenInThread } from './thread-listener.ts';

/** Accepts connections on the MQTT port. */
export function listen(options: ListenerOptions): Promise<Listener> {
  const isThreaded = options.hasThread && options.certificate === null;
  return isThreaded ? listenInThread(options) : listenWithSockets(options);
}
