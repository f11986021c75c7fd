import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

/** As many bytes as Node itself reads at a time. */
const RECEIVE_BYTES = 65_536;

/** Beside those of the documentation Node takes a handle, with which it constructs its own sockets. */
interface AdoptingOptions extends SocketConstructorOpts {
  readonly handle: object;
  readonly onread: OnReadOpts;
}

/**
 * Has sockets receive into one shared buffer. Node allocates 64 KiB for each read and cuts it to the
 * size of what arrived, which costs a third of the receipt of a short message. A chunk is a part of
 * the buffer, which the next read of any socket overwrites: listeners copy the bytes that they keep.
 */
export function createReceiveBuffer(): (accepted: Socket) => Socket {
  const buffer = Buffer.allocUnsafeSlow(RECEIVE_BYTES);
  return (accepted) => {
    const handle: unknown = Reflect.get(accepted, '_handle');
    if (!takesBuffer(handle)) return accepted.resume();
    // Node takes a buffer only for a socket that it constructs, so a second one adopts the handle.
    Reflect.set(accepted, '_handle', null);
    accepted.destroy();
    const options: AdoptingOptions = {
      handle,
      onread: {
        buffer,
        callback(length) {
          return socket.emit('data', buffer.subarray(0, length));
        },
      },
    };
    const socket = new Socket(options);
    return socket;
  };
}

/** False where a version of Node has no such handle: then it reads as it does by default. */
function takesBuffer(handle: unknown): handle is object {
  return typeof handle === 'object' && handle !== null && 'useUserBuffer' in handle;
}
