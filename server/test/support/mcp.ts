import { fileURLToPath } from 'node:url';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SHORT_LIVED } from './process.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/fieldwatch.mjs', import.meta.url));

/** What a tool has answered. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects.
  readonly json: any;
}

export interface Assistant {
  readonly client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<Called>;
}

/** A client of the official SDK, connected. */
async function connectAssistant(
  transport: Transport,
  mode: VersionNegotiationMode = 'legacy',
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { isError, text, json: isError ? null : JSON.parse(text) };
    },
  };
}

/** `fieldwatch mcp` in a process of its own, as an MCP client starts it. */
export function startMcpCommand(env: Record<string, string>): Promise<Assistant> {
  const args = [...SHORT_LIVED, PROGRAM, 'mcp'];
  const transport = new StdioClientTransport({ command: process.execPath, args, env });
  return connectAssistant(transport);
}

/** A client over streamable HTTP, of the revision of the protocol with a handshake or of a later one. */
export function connectOverHttp(
  url: string,
  authorization: string,
  mode: VersionNegotiationMode,
): Promise<Assistant> {
  const requestInit = { headers: { authorization } };
  return connectAssistant(new StreamableHTTPClientTransport(new URL(url), { requestInit }), mode);
}
