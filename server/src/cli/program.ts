import { StartFailure } from '../runtime/index.ts';
import {
  CommandFailure,
  createTerminal,
  EXIT,
  helpText,
  type Invocation,
  parseArguments,
  type Streams,
  type Terminal,
} from './command/index.ts';
import { COMMANDS } from './commands.ts';
import { ownVersion } from './version.ts';

const PROCESS_STREAMS: Streams = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt: (listener) => process.once('SIGINT', listener),
};

/**
 * The `fieldwatch` program: runs the command that the arguments name. Resolves with the exit code,
 * or with undefined when the command keeps the process running.
 */
export async function runCommand(
  args: readonly string[],
  environment: Terminal['environment'],
  streams: Streams = PROCESS_STREAMS,
): Promise<number | undefined> {
  const invocation = parseArguments(COMMANDS, args);
  const isJson = invocation.kind === 'RUN' && invocation.input.has('--json');
  const terminal = createTerminal(streams, environment, isJson);
  try {
    return await run(invocation, terminal);
  } catch (error) {
    const { reasons, exitCode } = failureOf(error);
    for (const reason of reasons) terminal.printError(reason);
    return exitCode;
  } finally {
    terminal.progress.clear();
  }
}

async function run(invocation: Invocation, terminal: Terminal): Promise<number | undefined> {
  switch (invocation.kind) {
    case 'HELP':
      terminal.print(helpText(COMMANDS, invocation.command, terminal.paint));
      return EXIT.OK;
    case 'VERSION':
      terminal.print(ownVersion());
      return EXIT.OK;
    case 'WRONG': {
      const { problem, command } = invocation;
      terminal.printError(`${problem} Try fieldwatch help${command ? ` ${command.name}` : ''}.`);
      return EXIT.WRONG_USAGE;
    }
    case 'RUN':
      return await invocation.command.run(invocation.input, terminal);
  }
}

function failureOf(error: unknown): Pick<CommandFailure, 'reasons' | 'exitCode'> {
  if (error instanceof CommandFailure) return error;
  const reason = error instanceof StartFailure ? error.message : `The command failed: ${error}`;
  return { reasons: [reason], exitCode: EXIT.FAILED };
}
