import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';
import type { Command } from './command.ts';

const made = (name: string, given: Partial<Command>): Command => ({
  name,
  summary: '',
  about: [],
  arguments: [],
  options: [],
  examples: [],
  hasJson: false,
  run: async () => 0,
  ...given,
});

const START = made('start', { options: [{ name: '--new', summary: '' }] });
const BACKUP = made('backup', { arguments: [{ name: 'file' }], hasJson: true });
const TAIL = made('tail', {
  arguments: [{ name: 'what', values: ['values', 'alarms'], isRequired: true }],
  options: [
    { name: '--device', value: 'id', isRepeatable: true, summary: '' },
    { name: '--severity', value: 'severity', values: ['LOW', 'HIGH'], summary: '' },
  ],
});
const COMMANDS = [START, BACKUP, TAIL];

const parsed = (...args: string[]) => parseArguments(COMMANDS, args);

function input(...args: string[]) {
  const invocation = parsed(...args);
  if (invocation.kind !== 'RUN') throw new Error(JSON.stringify(invocation));
  return invocation.input;
}

describe('the arguments of fieldwatch', () => {
  it.each([
    [[], 'start'],
    [['--new'], 'start'],
    [['start', '--new'], 'start'],
    [['backup', 'a.backup', '--json'], 'backup'],
  ])('%j run %s', (args, name) => {
    expect(parsed(...args)).toMatchObject({ kind: 'RUN', command: { name } });
  });

  it('have values of options after the name or an equals sign, several where allowed', () => {
    const tail = input('tail', '--device', 'a', 'values', '--device=b', '--severity=LOW');
    expect(tail.values('--device')).toEqual(['a', 'b']);
    expect(tail.value('--severity')).toBe('LOW');
    expect(tail.args).toEqual(['values']);
    expect(tail.has('--json')).toBe(false);
  });

  it('after two dashes are no options', () => {
    expect(input('backup', '--', '--json').args).toEqual(['--json']);
  });

  it.each([
    [['stop'], 'There is no command stop.'],
    [['help', 'bakcup'], 'There is no command bakcup. Did you mean backup?'],
    [['tali'], 'There is no command tali. Did you mean tail?'],
    [['xyzzy'], 'There is no command xyzzy.'],
    [['--old'], 'start has no option --old.'],
    [['backup', '--jsno'], 'backup has no option --jsno. Did you mean --json?'],
    [['start', '--json'], 'start has no option --json.'],
    [['start', '--new=yes'], '--new takes no value.'],
    [['backup', 'a', 'b'], 'backup does not take b.'],
    [['backup', '--json', '--json'], '--json is given twice.'],
    [['start', 'now'], 'start does not take now.'],
    [['tail'], 'tail needs <what>.'],
    [['tail', 'alarm'], 'what must be values or alarms, not alarm. Did you mean alarms?'],
    [['tail', 'values', '--device'], '--device needs a value: id.'],
    [['tail', 'values', '--severity', 'high'], '--severity must be LOW or HIGH, not high.'],
  ])('are refused with the reason: %j', (args, problem) => {
    expect(parsed(...args)).toMatchObject({ kind: 'WRONG', problem });
  });

  it('ask for help and for the version', () => {
    expect(parsed('--help')).toEqual({ kind: 'HELP', command: undefined });
    expect(parsed('help', 'backup')).toEqual({ kind: 'HELP', command: BACKUP });
    expect(parsed('backup', '-h')).toEqual({ kind: 'HELP', command: BACKUP });
    expect(parsed('--version')).toEqual({ kind: 'VERSION' });
  });
});
