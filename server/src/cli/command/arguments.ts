import { type Argument, type Command, type Option, optionsOf } from './command.ts';
import { Input } from './input.ts';
import { nearest } from './suggestion.ts';

/** What the arguments of `fieldwatch` ask for. */
export type Invocation =
  | { readonly kind: 'RUN'; readonly command: Command; readonly input: Input }
  | { readonly kind: 'HELP'; readonly command: Command | undefined }
  | { readonly kind: 'VERSION' }
  | { readonly kind: 'WRONG'; readonly problem: string; readonly command: Command | undefined };

const HELP = ['help', '--help', '-h'];

/** The first command is the default: it takes the arguments of a call without a command. */
export function parseArguments(commands: readonly Command[], args: readonly string[]): Invocation {
  const [first = '', ...rest] = args;
  if (['--version', '-v', 'version'].includes(first)) return { kind: 'VERSION' };
  if (HELP.includes(first)) return helpFor(commands, rest[0]);
  const isNamed = first !== '' && !first.startsWith('-');
  const command = isNamed ? commands.find(({ name }) => name === first) : commands[0];
  if (!command) return unknownCommand(commands, first);
  const given = isNamed ? rest : args;
  if (given.some((arg) => HELP.slice(1).includes(arg))) return { kind: 'HELP', command };
  const parsed = parseGiven(command, given);
  if (typeof parsed === 'string') return { kind: 'WRONG', problem: parsed, command };
  return { kind: 'RUN', command, input: parsed };
}

function helpFor(commands: readonly Command[], name: string | undefined): Invocation {
  if (name === undefined) return { kind: 'HELP', command: undefined };
  const command = commands.find((each) => each.name === name);
  return command ? { kind: 'HELP', command } : unknownCommand(commands, name);
}

function unknownCommand(commands: readonly Command[], name: string): Invocation {
  const problem = `There is no command ${name}.${suggested(
    name,
    commands.map((each) => each.name),
  )}`;
  return { kind: 'WRONG', problem, command: undefined };
}

function suggested(given: string, names: readonly string[]): string {
  const name = nearest(given, names);
  return name === undefined ? '' : ` Did you mean ${name}?`;
}

/** The input, or what is wrong with it. */
function parseGiven(command: Command, given: readonly string[]): Input | string {
  const args: string[] = [];
  const options = new Map<string, string[]>();
  const queue = [...given];
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '--') {
      args.push(...queue.splice(0));
    } else if (arg.startsWith('-') && arg !== '-') {
      const problem = takeOption(command, arg, queue, options);
      if (problem !== null) return problem;
    } else {
      args.push(arg);
    }
  }
  return argumentProblem(command, args) ?? new Input(args, options);
}

/** Adds the option, with its value from `name=value` or the next argument. */
function takeOption(
  command: Command,
  arg: string,
  queue: string[],
  options: Map<string, string[]>,
): string | null {
  const equals = arg.indexOf('=');
  const name = equals === -1 ? arg : arg.slice(0, equals);
  const known = optionsOf(command);
  const option = known.find((each) => each.name === name);
  if (!option) {
    const names = known.map((each) => each.name);
    return `${command.name} has no option ${name}.${suggested(name, names)}`;
  }
  const values = options.get(name) ?? [];
  if (values.length > 0 && !option.isRepeatable) return `${name} is given twice.`;
  if (option.value === undefined) {
    if (equals !== -1) return `${name} takes no value.`;
    options.set(name, ['']);
    return null;
  }
  const value = equals === -1 ? queue.shift() : arg.slice(equals + 1);
  if (value === undefined || value === '') return `${name} needs a value: ${option.value}.`;
  options.set(name, [...values, value]);
  return closedListProblem(name, value, option);
}

function closedListProblem(
  name: string,
  value: string,
  { values }: Pick<Option, 'values'>,
): string | null {
  if (!values || values.includes(value)) return null;
  return `${name} must be ${listed(values)}, not ${value}.${suggested(value, values)}`;
}

function listed(values: readonly string[]): string {
  return values.length === 1
    ? `${values[0]}`
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function argumentProblem(command: Command, args: readonly string[]): string | null {
  const last = command.arguments.at(-1);
  const extra = last?.isRepeatable ? undefined : args[command.arguments.length];
  if (extra !== undefined) return `${command.name} does not take ${extra}.`;
  const missing = command.arguments.find(({ isRequired }, index) => isRequired && !args[index]);
  if (missing) return `${command.name} needs ${argumentText(missing)}.`;
  for (const [index, arg] of args.entries()) {
    const { name, values } = command.arguments[index] ?? last ?? { name: '', values: undefined };
    const problem = closedListProblem(name, arg, values ? { values } : {});
    if (problem !== null) return problem;
  }
  return null;
}

/** An argument as usage lines show it. */
export function argumentText({ name, isRequired, isRepeatable }: Argument): string {
  const text = isRequired ? `<${name}>` : `[${name}]`;
  return isRepeatable ? `${text}…` : text;
}
