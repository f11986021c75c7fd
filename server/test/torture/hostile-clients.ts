import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerHarness } from './harness.ts';

const SOCKETS = 60;

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

/** CONNECT of MQTT 3.1.1 that announces far more than it sends. */
const UNFINISHED_CONNECT = Buffer.from([0x10, 0xff, 0x01, 0x00, 0x04, 0x4d, 0x51, 0x54, 0x54]);
const UNFINISHED_REQUEST =
  'POST /auth/v1/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{"email":"';

/** Sockets that say nothing, or begin and never finish; they are held open for the given time. */
export async function holdHalfOpen({ service }: ServerHarness, durationMs: number): Promise<void> {
  const sockets: Socket[] = [];
  for (let index = 0; index < SOCKETS; index += 1) {
    const isMqtt = index % 2 === 0;
    const socket = open(isMqtt ? service.mqttPort : service.httpPort);
    if (index % 3 !== 0) socket.write(isMqtt ? UNFINISHED_CONNECT : UNFINISHED_REQUEST);
    sockets.push(socket);
  }
  await sleep(durationMs);
  for (const socket of sockets) socket.destroy();
}

/** Clients that send a byte at a time, and read nothing of what is answered. */
export async function sendSlowly({ service }: ServerHarness, durationMs: number): Promise<void> {
  const sockets = Array.from({ length: SOCKETS }, (_, index) =>
    open(index % 2 === 0 ? service.mqttPort : service.httpPort).pause(),
  );
  const end = Date.now() + durationMs;
  for (let at = 0; Date.now() < end; at += 1) {
    for (const [index, socket] of sockets.entries()) {
      const text = index % 2 === 0 ? UNFINISHED_CONNECT : Buffer.from(UNFINISHED_REQUEST);
      const byte = text.subarray(at % text.length, (at % text.length) + 1);
      if (socket.writable) socket.write(byte);
    }
    await sleep(100);
  }
  for (const socket of sockets) socket.destroy();
}
