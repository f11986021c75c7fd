import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldwatch } from '../support/command.ts';
import { createWorkspace, type Workspace } from '../support/configuration.ts';
import { callsIn, fencesIn, readPage } from '../support/documented-commands.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const PAGE = readPage('docs/configuration-as-code.md');

let server: TestOrganization;
let workspace: Workspace;

beforeAll(async () => {
  server = await joinServer();
  workspace = createWorkspace();
});

afterAll(async () => {
  workspace.remove();
});

/** A command of the page, as a shell would split it. */
interface Line {
  readonly text: string;
  readonly environment: Record<string, string>;
  readonly args: readonly string[];
  readonly target: string | undefined;
  readonly exitCode: number;
}

function parsed(text: string): Line {
  const [command = '', comment = ''] = text.split('#');
  const [call = '', target] = command.split('>').map((part) => part.trim());
  const words = call.split(/\s+/);
  const at = words.indexOf('fieldwatch');
  const environment = Object.fromEntries(
    words.slice(0, at).map((word) => word.split(/=(.*)/).slice(0, 2) as [string, string]),
  );
  const exitCode = Number(/exit code (\d)/.exec(comment)?.[1] ?? 0);
  return { text, environment, args: words.slice(at + 1), target, exitCode };
}

/** The page does it in a working directory; here files and folders are in the workspace. */
const FILE_ARGUMENT = /^(configuration|.*\.(yaml|jsonl))$/;

async function run({ text, environment, args, target, exitCode }: Line): Promise<string> {
  const given = args.map((arg) => (FILE_ARGUMENT.test(arg) ? workspace.path(arg) : arg));
  const result = await fieldwatch(given, {
    FIELDWATCH_URL: server.url,
    FIELDWATCH_ORGANIZATION_ID: server.organizationId,
    FIELDWATCH_USER: server.adminEmail,
    FIELDWATCH_PASSWORD: server.adminPassword,
    ...environment,
  });
  expect(result, text).toMatchObject({ exitCode, errors: '' });
  if (target !== undefined) workspace.write(target, result.output);
  return result.output;
}

it('every file and every command of the page does what the page says', async () => {
  const outputs: string[] = [];
  let commands = 0;
  for (const { language, text } of fencesIn(PAGE)) {
    if (language === 'yaml') {
      const file = workspace.path(/^# (\S+)\n/.exec(text)?.[1] ?? 'unnamed.yaml');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (language !== 'sh') continue;
    for (const line of text.split('\n').filter((each) => /(^|\s)fieldwatch\s/.test(each))) {
      outputs.push(await run(parsed(line)));
      commands += 1;
    }
  }
  expect(commands).toBe(callsIn('docs/configuration-as-code.md').length);
  expect(outputs[0]).toMatch(/^\+ create locations\/vienna\n {4}name: "Vienna waterworks"\n/);
  expect(outputs[2]).toMatch(/^No changes/);
  const credentials = workspace.read('credentials.jsonl').trim().split('\n');
  expect(credentials.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'devices', key: 'pump-1', password: expect.any(String) },
  ]);
  const pruned = outputs.find((output) => output.includes('- delete devices/pump-1'));
  expect(pruned).toMatch(/\d+ stored readings? lost/);
  expect(outputs.some((output) => output.includes('name: Graz waterworks'))).toBe(true);
  expect(JSON.parse(workspace.read('fieldwatch.schema.json'))).toHaveProperty('properties.devices');
});
