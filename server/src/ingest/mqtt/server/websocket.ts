import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { TakeUpgrade } from '../../../http/index.ts';
import type { Accepted } from './broker.ts';

/** The subprotocols of MQTT over WebSocket; the first is the standard's. */
const PROTOCOLS = ['mqtt', 'mqttv3.1'];
/** The code of RFC 6455 for a type of data that is not accepted. */
const UNSUPPORTED_DATA = 1003;
/** A WebSocket message may carry several packets. */
const PACKETS_PER_MESSAGE = 4;

interface WebSocketLimits {
  readonly maxPacketBytes: number;
  /** Before the CONNECT has arrived. */
  readonly maxConnectBytes: number;
}

export interface WebSocketListener {
  readonly take: TakeUpgrade;
  stop(): void;
}

/** Turns WebSocket upgrade requests into streams of bytes. */
export function createWebSocketListener(
  { maxPacketBytes, maxConnectBytes }: WebSocketLimits,
  onConnection: (stream: Duplex, address: string) => Accepted,
): WebSocketListener {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxPacketBytes * PACKETS_PER_MESSAGE,
    handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  });
  let isStopped = false;
  return {
    take(request, socket, head, address) {
      if (isStopped) {
        socket.destroy();
        return;
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const stream = createWebSocketStream(webSocket);
        // MQTT forbids text frames.
        webSocket.prependListener('message', (_, isBinary) => {
          if (isBinary) return;
          webSocket.close(UNSUPPORTED_DATA);
          stream.destroy();
        });
        const accepted = onConnection(stream, address);
        limitUnidentified(socket, accepted, maxConnectBytes);
      });
    },
    stop() {
      isStopped = true;
      server.close();
    },
  };
}

/**
 * A frame is buffered until it is complete and may be far larger than a CONNECT. A CONNECT in the
 * same chunk as later packets is read before the chunk is counted.
 */
function limitUnidentified(socket: Duplex, accepted: Accepted, maxBytes: number): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    if (accepted.isIdentified()) {
      socket.off('data', count);
      return;
    }
    received += chunk.length;
    if (received <= maxBytes) return;
    setImmediate(() => {
      if (!accepted.isIdentified()) socket.destroy();
    });
  };
  socket.on('data', count);
}
