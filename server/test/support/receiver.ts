import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path?: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** A server of somebody who is notified by webhook. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The most requests that were open at once. */
  readonly mostAtOnce: () => number;
  /** Answers so from now on; null holds requests back until the next call. */
  answer(status: number | null, headers?: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const held: (() => void)[] = [];
  let status: number | null = 200;
  let answered: Readonly<Record<string, string>> = {};
  let open = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on('close', () => {
      open -= 1;
    });
    let text = '';
    for await (const chunk of request) text += chunk;
    const { headers, url: path = '' } = request;
    const isJson = /json/.test(headers['content-type'] ?? '');
    received.push({ path, headers, text, body: isJson ? JSON.parse(text) : undefined });
    const reply = () => response.writeHead(status ?? 200, answered).end();
    if (status === null) held.push(reply);
    else reply();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    mostAtOnce: () => mostAtOnce,
    answer(next, headers = {}) {
      status = next;
      answered = headers;
      if (next !== null) for (const reply of held.splice(0)) reply();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
