import { createClient } from '@fieldwatch/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, type McpServerOptions } from './server.ts';

/** One message of a client, and the way in which tools call the interface for it. */
interface McpExchange {
  readonly organizationId: string;
  readonly request: Request;
  readonly body: unknown;
  readonly fetch: typeof globalThis.fetch;
}

interface HttpOptions extends McpServerOptions {
  readonly now: () => number;
}

/** Answers one message over streamable HTTP. Nothing is kept for the next one, so any node may get it. */
export function answerMcpOverHttp(
  { organizationId, request, body, fetch }: McpExchange,
  { now, ...options }: HttpOptions,
): Promise<Response> {
  // The caller's credentials are in `fetch`, which also knows the server.
  const client = createClient({ baseUrl: new URL(request.url).origin, fetch });
  const source = { client, organizationId, now };
  // The tools never change, so there is nothing to subscribe to, and no stream stays open.
  const handler = createMcpHandler(() => createMcpServer(source, options), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  return handler.fetch(request, { parsedBody: body });
}
