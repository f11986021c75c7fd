import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** `hang` never answers; `cut` breaks the connection in the middle of a body. */
type Behaviour = Reply | 'hang' | 'cut';

export interface RecordingServer {
  readonly baseUrl: string;
  readonly requests: Recorded[];
  close(): Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** A real HTTP server on loopback that keeps the requests it got and answers as configured. */
export async function startRecordingServer(
  answer: (request: Recorded) => Behaviour | Promise<Behaviour>,
): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const recorded = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    requests.push(recorded);
    const reply = await answer(recorded);
    if (reply === 'hang') return;
    if (reply === 'cut') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"count":', () => response.destroy());
      return;
    }
    response.writeHead(reply.status, { 'x-request-id': 'request-1', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
