import type { Socket } from 'node:net';

const lingering = new WeakSet<Socket>();

/** Whether the connection only waits for the client to close it too. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Ends a connection so that its last answer arrives: a socket closed with unread input resets the
 * connection, and the client may lose what was sent. Input is read and dropped until the client
 * closes too, and not longer than this: a client that never does would hold the descriptor.
 */
export function closeLingering(socket: Socket, lingerMs: number, lastBytes?: string): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  const destroy = () => void socket.destroy();
  const timer = setTimeout(destroy, lingerMs).unref();
  socket.once('end', destroy);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastBytes ?? '');
  socket.resume();
}
