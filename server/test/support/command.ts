import { PassThrough, Readable } from 'node:stream';
import { runCommand } from '../../src/cli/program.ts';

/** What a command has printed, and its exit code. */
export interface CommandRun {
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly errors: string;
}

export interface RunningCommand {
  /** Everything on standard output so far. */
  output(): string;
  errors(): string;
  /** As Ctrl-C does. */
  interrupt(): void;
  readonly ended: Promise<CommandRun>;
}

type Environment = Readonly<Record<string, string>>;

function collected(): { stream: PassThrough; text: () => string } {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { stream, text: () => text };
}

/** Runs `fieldwatch` in this process, without a terminal. */
export function startCommand(
  args: readonly string[],
  environment: Environment = {},
  input = '',
): RunningCommand {
  const [out, err] = [collected(), collected()];
  const listeners: (() => void)[] = [];
  const ended = runCommand(args, environment, {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
    onInterrupt: (listener) => listeners.push(listener),
  }).then((exitCode) => ({ exitCode, output: out.text(), errors: err.text() }));
  return {
    output: out.text,
    errors: err.text,
    interrupt() {
      for (const listener of listeners) listener();
    },
    ended,
  };
}

export function fieldwatch(
  args: readonly string[],
  environment: Environment = {},
  input = '',
): Promise<CommandRun> {
  return startCommand(args, environment, input).ended;
}
