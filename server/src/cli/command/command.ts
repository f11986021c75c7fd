import type { Input } from './input.ts';
import type { Terminal } from './terminal.ts';

/** The exit codes of every command. */
export const EXIT = { OK: 0, FAILED: 1, WRONG_USAGE: 2, INCOMPLETE: 3, DRIFT: 4 } as const;

/** A failure that is explained to the operator in sentences, one per line. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly reasons: readonly string[];
  readonly exitCode: number;

  constructor(reasons: string | readonly string[], exitCode: number = EXIT.FAILED) {
    const list = typeof reasons === 'string' ? [reasons] : reasons;
    super(list.join(' '));
    this.reasons = list;
    this.exitCode = exitCode;
  }
}

/** A call that does not have the form that the help describes. */
export function wrongUsage(reason: string): CommandFailure {
  return new CommandFailure(reason, EXIT.WRONG_USAGE);
}

export interface Option {
  readonly name: `--${string}`;
  /** What its value is, as the help shows it; absent for an option without a value. */
  readonly value?: string;
  /** Its only values, where they are a closed list. */
  readonly values?: readonly string[] | undefined;
  readonly isRepeatable?: boolean;
  /** Whether its value is the path of a file. */
  readonly isPath?: boolean | undefined;
  readonly summary: string;
}

export interface Argument {
  readonly name: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
  /** Its only values, where they are a closed list. */
  readonly values?: readonly string[] | undefined;
  /** Whether it is the path of a file or folder. */
  readonly isPath?: boolean | undefined;
}

interface Example {
  readonly call: string;
  readonly effect: string;
}

/** A command of `fieldwatch`. Parsing, help and completions derive from it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly about: readonly string[];
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** Whether it takes `--json`. */
  readonly hasJson: boolean;
  /** Resolves with the exit code; undefined for one that keeps the process running. */
  readonly run: (input: Input, terminal: Terminal) => Promise<number | undefined>;
}

const JSON_OPTION: Option = { name: '--json', summary: 'Print the result as JSON' };
const HELP_OPTION: Option = { name: '--help', summary: 'Print this help' };

/** All options of a command, those of every command last. */
export function optionsOf({ options, hasJson }: Command): readonly Option[] {
  return [...options, ...(hasJson ? [JSON_OPTION] : []), HELP_OPTION];
}
