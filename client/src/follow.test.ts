import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { showValues } from '../test/live-example.ts';
import { createClient, FieldwatchError, type LiveEvent } from './index.ts';

const organizationId = '0199a1d2-0000-7000-8000-000000000001';
const credentials = { accessToken: 'token-1' };
const READY = 'retry: 1\n\nevent: ready\ndata: {"heartbeatSeconds":15}\n\n';
const alarm = (id: number) => `event: alarm\nid: ${id}\ndata: {"change":"RAISED"}\n\n`;

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A real server whose answers are given in advance, one for each request. */
async function serverThat(...answers: Answer[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const events =
  (text: string, then: 'end' | 'cut' | 'stay' = 'stay'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (then === 'end') response.end(text);
    else response.write(text, () => then === 'cut' && response.destroy());
  };

const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify({ code, status, detail: code }));
  };

/** The first events of a stream. */
async function first(count: number, stream: AsyncIterable<LiveEvent>): Promise<LiveEvent[]> {
  const seen: LiveEvent[] = [];
  for await (const event of stream) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
}

const typesOf = (seen: readonly LiveEvent[]) =>
  seen.map(({ type, id }) => (id ? `${type} ${id}` : type));

describe('a followed stream', () => {
  it('gives events with what they hold, and asks with the filters and credentials', async () => {
    const server = await serverThat(events(READY + alarm(1)));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const query = { variableIds: ['a', 'b'] };
    const seen = await first(2, client.followLive({ organizationId, query }));
    expect(seen).toEqual([
      { type: 'ready', id: null, data: { heartbeatSeconds: 15 } },
      { type: 'alarm', id: '1', data: { change: 'RAISED' } },
    ]);
    expect(server.requests[0]).toMatchObject({
      url: `/primary/v1/${organizationId}/live?variableIds[]=a&variableIds[]=b`,
      headers: { authorization: 'Bearer token-1' },
    });
  });

  it('goes on after the last alarm event when the line broke or the service ended it', async () => {
    const server = await serverThat(
      events(READY + alarm(1), 'cut'),
      events(`${READY + alarm(2)}event: end\ndata: {"reason":"STOPPING"}\n\n`, 'end'),
      events(READY),
    );
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const seen = await first(8, client.followLive({ organizationId }, { lastEventId: '0' }));
    expect(typesOf(seen)).toEqual([
      'ready',
      'alarm 1',
      'lost',
      'ready',
      'alarm 2',
      'end',
      'lost',
      'ready',
    ]);
    const asked = server.requests.map(({ headers }) => headers['last-event-id']);
    expect(asked).toEqual(['0', '1', '2']);
  });

  it('comes again after what passes, and waits longer each time', async () => {
    const server = await serverThat(
      events(READY.replace('retry: 1', 'retry: 8'), 'cut'),
      problem(503, 'OVERLOADED'),
      (response) => void response.destroy(),
      problem(429, 'TOO_MANY_REQUESTS'),
      events(READY),
    );
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const seen = await first(6, client.followLive({ organizationId }));
    expect(typesOf(seen)).toEqual(['ready', 'lost', 'lost', 'lost', 'lost', 'ready']);
    const waits = seen.flatMap(({ type, data }) => (type === 'lost' ? [data.retryInMs] : []));
    expect(waits[0]).toBeLessThanOrEqual(8);
    expect(waits[3]).toBeGreaterThanOrEqual(16);
    expect(waits[3]).toBeLessThanOrEqual(32);
  });

  it('waits two seconds at most at first, where the service said nothing yet', async () => {
    const server = await serverThat(problem(503, 'OVERLOADED'));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const stream = client.followLive({ organizationId });
    const { value } = await stream.next();
    const { error, retryInMs } = (value as LiveEvent & { type: 'lost' }).data;
    expect(error).toMatchObject({ code: 'OVERLOADED' });
    expect(retryInMs).toBeGreaterThanOrEqual(1_000);
    expect(retryInMs).toBeLessThanOrEqual(2_000);
    await stream.return();
  });

  it('waits as long as the service asks', async () => {
    const server = await serverThat(problem(429, 'TOO_MANY_REQUESTS', { 'retry-after': '20' }));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const stream = client.followLive({ organizationId });
    const { value } = await stream.next();
    expect(value).toMatchObject({ type: 'lost', data: { retryInMs: 20_000 } });
    await stream.return();
  });

  it.each([
    [400, 'INVALID_REQUEST'],
    [401, 'UNAUTHENTICATED'],
    [403, 'ORGANIZATION_FORBIDDEN'],
  ])('fails for good when it is refused with %i', async (status, code) => {
    const server = await serverThat(problem(status, code));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const error = await first(1, client.followLive({ organizationId })).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FieldwatchError);
    expect(error.code).toBe(code);
  });

  it("fails when the answer is a page that is not the service's", async () => {
    const server = await serverThat((response) => void response.end('<html>'));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    await expect(first(1, client.followLive({ organizationId }))).rejects.toMatchObject({
      code: 'UNRECOGNIZED',
    });
  });

  it('renews a token that was refused, and goes on', async () => {
    const tokens =
      (name: string): Answer =>
      (response) => {
        response.setHeader('content-type', 'application/json');
        const pair = { accessToken: name, tokenType: 'Bearer', expiresIn: 900, refreshToken: 'r' };
        response.end(JSON.stringify(pair));
      };
    const server = await serverThat(
      tokens('old'),
      problem(401, 'UNAUTHENTICATED'),
      tokens('new'),
      events(READY),
    );
    const login = { email: 'ann@example.com', password: 'correct horse' };
    const client = createClient({ baseUrl: server.baseUrl, credentials: login });
    expect(typesOf(await first(1, client.followLive({ organizationId })))).toEqual(['ready']);
    expect(server.requests[3]?.headers.authorization).toBe('Bearer new');
  });

  it('ends with the reason of its signal, while it listens and while it waits', async () => {
    const server = await serverThat(events(READY), problem(503, 'OVERLOADED'));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    for (const _ of ['listening', 'waiting']) {
      const leaving = new AbortController();
      const stream = client.followLive({ organizationId }, { signal: leaving.signal });
      await stream.next();
      const next = stream.next();
      leaving.abort(new Error('enough'));
      await expect(next).rejects.toThrow('enough');
    }
  });

  it('closes its connection when nobody iterates any more', async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serverThat((response, request) => {
      response.on('close', closed);
      events(READY)(response, request);
    });
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    await first(1, client.followLive({ organizationId }));
    await gone;
  });
});

describe('the example of the README about live values', () => {
  it('is the code that is compiled and run here', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const example = readFileSync(new URL('../test/live-example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it('shows values until it is stopped', async () => {
    const values = 'event: readings\ndata: [{"variableId":"a","value":1}]\n\n';
    const server = await serverThat(events(READY + values));
    const client = createClient({ baseUrl: server.baseUrl, credentials });
    const leaving = new AbortController();
    const lines: string[] = [];
    const input = { organizationId, query: { deviceIds: ['d'] } };
    const show = (line: string) => {
      lines.push(line);
      leaving.abort(new Error('enough'));
    };
    await expect(showValues(client, input, show, leaving.signal)).rejects.toThrow('enough');
    expect(lines).toEqual(['a 1']);
  });
});
