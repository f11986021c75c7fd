import { systemClock } from '../../runtime/index.ts';
import { type Command, EXIT, wrongUsage } from '../command/index.ts';
import { ownVersion } from '../version.ts';
import { connect } from './connection.ts';

export const runMcp: Command['run'] = async (input, terminal) => {
  const { client, organizationId } = connect(input, terminal);
  const stdin = terminal.input();
  if (stdin === null) {
    throw wrongUsage(
      'An MCP client starts this command and exchanges messages with it over its standard input and output.',
    );
  }
  // Its packages are large, and no other command needs them.
  const { serveMcpOverStdio } = await import('../../mcp/index.ts');
  await serveMcpOverStdio(
    { client, organizationId, now: systemClock.now },
    {
      version: ownVersion(),
      input: stdin,
      output: terminal.output,
      signal: terminal.signal(),
      onError: (error) => terminal.printError(`A request failed: ${error}`),
    },
  );
  return EXIT.OK;
};
