import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { fieldwatch } from '../../test/support/command.ts';
import { optionsOf } from './command/command.ts';
import { completionScript, helpText } from './command/index.ts';
import { createPaint, isColoured } from './command/paint.ts';
import { createProgress } from './command/progress.ts';
import { COMMANDS } from './commands.ts';

const PLAIN = createPaint(false);

describe('the help', () => {
  it('names every command and the exit codes', () => {
    const all = helpText(COMMANDS, undefined, PLAIN);
    for (const { name } of COMMANDS) expect(all).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(all).toMatch(/^ {2}3 {2}Done in part/m);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s names its options, and its examples are calls that parse',
    (_, command) => {
      const text = helpText(COMMANDS, command, PLAIN);
      for (const { name } of optionsOf(command)) expect(text).toContain(`  ${name}`);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { call } of command.examples) expect(text).toContain(`  ${call}`);
      for (const line of text.split('\n')) expect(line.length).toBeLessThan(140);
    },
  );

  it('is in docs/cli.md for every command and option', () => {
    const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    const shared = text.split('\n## A server')[1]?.split('\n### ')[0] ?? '';
    for (const command of COMMANDS) {
      const [, section = ''] = text.split(`\n### ${command.name}\n`);
      expect(section, command.name).not.toBe('');
      const own = `${section.split('\n### ')[0]}${shared}`;
      for (const { name } of command.options) expect(own).toContain(`\`${name}`);
    }
  });
});

describe('fieldwatch', () => {
  it('exits with 2 for a wrong call, and with 0 for its help and version', async () => {
    expect(await fieldwatch(['backpu'])).toEqual({
      exitCode: 2,
      output: '',
      errors: 'There is no command backpu. Did you mean backup? Try fieldwatch help.\n',
    });
    expect(await fieldwatch(['help', 'backup'])).toMatchObject({ exitCode: 0, errors: '' });
    expect((await fieldwatch(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('lists every wrong setting on a line of its own, and exits with 1', async () => {
    const settings = { FIELDWATCH_HTTP_PORT: 'http', DATABASE_URL: 'mysql://localhost' };
    const { exitCode, errors } = await fieldwatch(['backup'], settings);
    expect(errors).toMatch(/^FIELDWATCH_HTTP_PORT .*\.$/m);
    expect(errors).toMatch(/^DATABASE_URL .*\.$/m);
    expect(exitCode).toBe(1);
  });
});

describe('colours and progress', () => {
  it('are for terminals alone, and NO_COLOR turns colours off', () => {
    expect(isColoured({ isTTY: true }, {})).toBe(true);
    expect(isColoured({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
    expect(isColoured({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
    expect(isColoured({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
    expect(isColoured({}, {})).toBe(false);
    expect(createPaint(true).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(PLAIN.red('x')).toBe('x');
  });

  it.each([
    [true, '█████████████░░░░░░░░░░░  55 % 11 of 20'],
    [false, ''],
  ])('with a terminal: %s, a bar shows the share', (isTTY, text) => {
    let written = '';
    const stream = new Writable({
      write(chunk, _, done) {
        written += chunk;
        done();
      },
    });
    createProgress(Object.assign(stream, { isTTY })).update(0.55, '11 of 20');
    expect(written.replace('\r\u001b[2K', '')).toBe(text);
  });
});

describe('completions for bash', () => {
  const script = completionScript('bash', COMMANDS);

  function completed(...words: string[]): string[] {
    const run = `${script}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _fieldwatch; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['-c', run], { encoding: 'utf8', cwd: folder }).trim();
    return output === '' ? [] : output.split('\n');
  }

  const folder = mkdtempSync(join(tmpdir(), 'fieldwatch-completion-'));
  writeFileSync(join(folder, 'my site.yaml'), '');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('offer commands, options and the values of a closed list', () => {
    expect(completed('fieldwatch', '')).toEqual([...COMMANDS.map(({ name }) => name), 'help']);
    expect(completed('fieldwatch', 'ba')).toEqual(['backup']);
    expect(completed('fieldwatch', 'restore', '--re')).toEqual(['--revoke-keys']);
    expect(completed('fieldwatch', 'completion', '')).toEqual(['bash', 'zsh']);
    expect(completed('fieldwatch', 'help', 'rest')).toEqual(['restore']);
    expect(completed('fieldwatch', '--v')).toEqual(['--version']);
    expect(completed('fieldwatch', 'tail', '--only', '=', 'v')).toEqual(['values']);
    expect(completed('fieldwatch', 'tail', '--only', '=')).toEqual(['values', 'alarms']);
  });

  it('offer files where a path is meant, also with a space in the name, and nowhere else', () => {
    expect(completed('fieldwatch', 'plan', 'my')).toEqual(['my site.yaml']);
    expect(completed('fieldwatch', 'apply', '--credentials', '')).toEqual(['my site.yaml']);
    expect(completed('fieldwatch', 'status', '')).toEqual([]);
    expect(completed('fieldwatch', 'tail', '--device', '')).toEqual([]);
    expect(completed('fieldwatch', 'reset-password', '')).toEqual([]);
  });
});

it('completions for zsh have every command and option', () => {
  const script = completionScript('zsh', COMMANDS);
  for (const command of COMMANDS) {
    expect(script).toContain(`    ${command.name}) _arguments `);
    for (const { name } of optionsOf(command)) expect(script).toContain(name);
  }
});
