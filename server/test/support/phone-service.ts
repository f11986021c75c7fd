import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that sends texts and calls, as far as a phone channel notices. */
export interface PhoneService {
  readonly url: string;
  /** The fields of the requests so far, of query and form, and their paths. */
  readonly sent: Readonly<Record<string, string>>[];
  stop(): Promise<void>;
}

export async function startPhoneService(): Promise<PhoneService> {
  const sent: Readonly<Record<string, string>>[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const fields = [...searchParams, ...new URLSearchParams(body)];
    sent.push({ path: pathname, ...Object.fromEntries(fields) });
    response.end('OK');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
