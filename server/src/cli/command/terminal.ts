import type { Readable, Writable } from 'node:stream';
import { createPaint, isColoured, type Paint } from './paint.ts';
import { createProgress, type Progress } from './progress.ts';

/** What a command reads from and writes to. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  readonly paint: Paint;
  readonly progress: Progress;
  /** Aborted by Ctrl-C, from the first use on. */
  readonly signal: () => AbortSignal;
  /** Aborted when the reader of standard output has ended, as `head` does. */
  readonly outputClosed: AbortSignal;
  print(line: string): void;
  printError(line: string): void;
  /** Prints the result of a command: the value as JSON, or else the lines. */
  answer(value: unknown, lines: readonly string[]): void;
  /** Standard output, for a command that speaks a protocol over it. */
  readonly output: Writable;
  /** Standard input as it comes; null where a person would have to type it. */
  input(): Readable | null;
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly onInterrupt: (listener: () => void) => void;
}

export function createTerminal(
  { stdin, stdout, stderr, onInterrupt }: Streams,
  environment: Terminal['environment'],
  isJson: boolean,
): Terminal {
  const progress = createProgress(stderr);
  const outputClosed = abortedWhenClosed(stdout);
  let controller: AbortController | undefined;
  const print = (line: string) => {
    progress.clear();
    if (!outputClosed.aborted) stdout.write(`${line}\n`);
  };
  return {
    environment,
    isJson,
    paint: createPaint(!isJson && isColoured(stdout, environment)),
    progress,
    signal() {
      if (!controller) {
        const created = new AbortController();
        controller = created;
        onInterrupt(() => created.abort());
      }
      return controller.signal;
    },
    outputClosed,
    print,
    printError(line) {
      progress.clear();
      stderr.write(`${line}\n`);
    },
    answer(value, lines) {
      if (isJson) print(JSON.stringify(value));
      else for (const line of lines) print(line);
    },
    output: stdout,
    input: () => (stdin.isTTY ? null : stdin),
  };
}

function abortedWhenClosed(stdout: Stream): AbortSignal {
  const closed = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.abort();
  });
  return closed.signal;
}
