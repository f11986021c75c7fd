import { argumentText } from './arguments.ts';
import { type Command, type Option, optionsOf } from './command.ts';
import type { Paint } from './paint.ts';

/** The help for all commands, or for one. */
export function helpText(
  commands: readonly Command[],
  command: Command | undefined,
  paint: Paint,
): string {
  return (command ? commandHelp(command, paint) : overview(commands, paint)).join('\n');
}

const WIDTH = 88;

function overview(commands: readonly Command[], paint: Paint): string[] {
  return [
    `${paint.bold('Usage:')} fieldwatch [command] [options]`,
    '',
    paint.bold('Commands'),
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    paint.bold('Exit codes'),
    ...EXIT_CODES,
    '',
    ...wrapped(
      'fieldwatch help <command> describes a command and gives examples. Settings are environment variables: docs/running.md has those of the server, docs/cli.md those of the commands.',
    ),
  ];
}

const EXIT_CODES = table([
  ['0', 'Done'],
  ['1', 'Failed; standard error says why'],
  ['2', 'Wrong usage'],
  ['3', 'Done in part; standard error says what is missing'],
  ['4', 'The server differs from the files (plan)'],
]);

function commandHelp(command: Command, paint: Paint): string[] {
  const { name, summary, about, examples } = command;
  const usage = [name, ...command.arguments.map(argumentText), '[options]'].join(' ');
  return [
    `${paint.bold('Usage:')} fieldwatch ${usage}`,
    '',
    `${summary}.`,
    ...about.flatMap((paragraph) => ['', ...wrapped(paragraph)]),
    '',
    paint.bold('Options'),
    ...table(optionsOf(command).map((option) => [optionText(option), summaryOf(option)])),
    '',
    paint.bold('Examples'),
    ...examples.flatMap(({ call, effect }) => [`  ${paint.dim(`# ${effect}`)}`, `  ${call}`]),
    '',
    paint.bold('Exit codes'),
    ...EXIT_CODES,
  ];
}

function optionText({ name, value }: Option): string {
  return value === undefined ? name : `${name} <${value}>`;
}

function summaryOf({ summary, values, isRepeatable }: Option): string {
  const list = values ? `: ${values.join(', ')}` : '';
  return `${summary}${list}${isRepeatable ? '; may be given several times' : ''}`;
}

/** Two columns, the second one wrapped. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrapped(right, WIDTH - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`,
    ),
  );
}

function wrapped(text: string, width = WIDTH): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
