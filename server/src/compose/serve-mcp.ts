import type { Http } from '../http/index.ts';
import type { CoreServices } from './core-services.ts';
import { VERSION } from './version.ts';

/** Serves tools for assistants, which call the operations of this server as their caller. */
export function serveMcp(http: Http, { clock, log }: CoreServices): void {
  const options = {
    version: VERSION,
    now: () => clock.now(),
    onError: (error: unknown) => log.error({ err: error }, 'a tool of the MCP server failed'),
  };
  http.serveExchange({
    id: 'exchangeMcp',
    path: '/mcp/{organizationId}',
    // Loaded with the first message: its packages are large, and most servers never need them.
    answer: async (exchange) => {
      const { answerMcpOverHttp } = await import('../mcp/index.ts');
      return answerMcpOverHttp(exchange, options);
    },
  });
}
