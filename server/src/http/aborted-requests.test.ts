import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { operation, start, stopAfterEach } from '../../test/support/http.ts';
import { createLog } from '../runtime/index.ts';

stopAfterEach();

const DEBUG = 20;

/** The server answers such headers when it begins to read the body. */
const HEADERS = [
  'POST /echo HTTP/1.1',
  'host: x',
  'content-type: application/json',
  'expect: 100-continue',
];

it.each<[string, string, string, (socket: Socket) => void]>([
  ['resets the connection', 'content-length: 99', '{', (socket) => socket.resetAndDestroy()],
  ['closes the connection', 'content-length: 99', '{', (socket) => socket.destroy()],
  [
    'closes it within a chunk',
    'transfer-encoding: chunked',
    '9\r\n{',
    (socket) => socket.destroy(),
  ],
])(
  'a client that %s before the end of its body is no error of the server',
  async (_, framing, body, leave) => {
    const levels: number[] = [];
    const statuses: number[] = [];
    const echo = operation('echo', { method: 'POST', body: Type.Unknown() });
    const url = await start([[echo, async () => ({ body: 1 })]], {
      log: createLog('debug', { write: (line) => void levels.push(JSON.parse(line).level) }),
      onResponse: (_operation, status) => void statuses.push(status),
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write([...HEADERS, framing, '', ''].join('\r\n'));
    await once(socket, 'data');
    socket.write(body);
    leave(socket);
    await expect.poll(() => statuses).toEqual([499]);
    await expect.poll(() => levels).toEqual([DEBUG]);
  },
);
