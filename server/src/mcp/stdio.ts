import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpServerOptions } from './server.ts';
import type { Source } from './tool.ts';

interface StdioOptions extends McpServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/** Serves one client over its pipes. Resolves when the client has closed them. */
export async function serveMcpOverStdio(source: Source, options: StdioOptions): Promise<void> {
  const { input, output, signal, onError } = options;
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createMcpServer(source, options), {
    transport,
    onerror: onError,
  });
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  const close = () => void handle.close();
  signal.addEventListener('abort', close, { once: true });
  await closed;
  signal.removeEventListener('abort', close);
}
