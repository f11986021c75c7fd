import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ingestCalls } from '../support/ingest-calls.ts';
import { startServer, type TestServer } from '../support/server.ts';

const VARIABLES = 100;
const LENGTH = 4_000;

/** Opens a stream on a bare socket that takes nothing until it is asked to. */
async function openUnread({ url, organizationId, key }: TestServer) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const path = `/primary/v1/${organizationId}/live`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1.1 200 OK/);
  socket.pause();
  return socket;
}

describe('a client that reads nothing', () => {
  it('gets the newest values when it reads again, and does not delay a stop', async () => {
    const limits = { maxLagMs: 60_000, stopTimeoutMs: 600_000 };
    const server = await startServer({ environment: { limits } });
    const calls = ingestCalls(server);
    const { id } = await calls.newDevice();
    const paths = Array.from({ length: VARIABLES }, (_, index) => `path.${index}`);
    for (const path of paths) await calls.newVariable(id, path, { type: 'STRING' });
    const socket = await openUnread(server);
    const written: string[] = [];
    const writeNext = async () => {
      const round = `round ${String(written.length).padStart(4, '0')} `;
      written.push(round);
      const data = Object.fromEntries(paths.map((path) => [path, round.padEnd(LENGTH, '.')]));
      expect((await calls.write(id, data)).status).toBe(200);
    };
    // Far more than sockets hold between them, whatever their buffers are.
    while (written.length < 60) await writeNext();
    const last = written.at(-1) ?? '';
    let text = '';
    const roundsIn = () => text.match(/round \d{4} /g) ?? [];
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.resume();
    const lasts = () => roundsIn().filter((round) => round === last).length;
    await expect.poll(lasts).toBe(VARIABLES);
    expect(roundsIn().length).toBeLessThan((written.length * VARIABLES) / 2);
    expect(text).not.toContain('event: missed');

    socket.pause();
    while (written.length < 90) await writeNext();
    await server.stop();
    socket.resume();
    await once(socket, 'close');
  });
});
