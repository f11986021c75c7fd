import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { TakeUpgrade } from '../../http/index.ts';

/** Names under which clients ask for MQTT inside a WebSocket; the first is the standard's. */
const PROTOCOLS = ['mqtt', 'mqttv3.1'];

export interface WebSocketDoor {
  readonly take: TakeUpgrade;
  stop(): void;
}

/** Turns requests for a WebSocket into streams of bytes. */
export function createWebSocketDoor(
  maxMessageBytes: number,
  onConnection: (stream: Duplex, address: string) => void,
): WebSocketDoor {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
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
        onConnection(createWebSocketStream(webSocket), address);
      });
    },
    stop() {
      isStopped = true;
      server.close();
    },
  };
}
