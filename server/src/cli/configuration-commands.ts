import type { Command, Option } from './command/index.ts';
import { CONNECTION } from './connection-options.ts';

const AS_USER: readonly Option[] = [
  {
    name: '--user',
    value: 'email',
    summary:
      'A user instead of a key, for Dashboards; FIELDWATCH_USER otherwise, the password in FIELDWATCH_PASSWORD',
  },
  ...CONNECTION,
];

const PRUNE: Option = {
  name: '--prune',
  summary: 'Delete records that have a key and are in no file',
};

/** Configuration as code: the records of an organization as YAML files. */
export const CONFIGURATION_COMMANDS: readonly Command[] = [
  {
    name: 'export',
    summary: 'Write the configuration of an organization as YAML',
    about: [
      'To a file whose name ends in .yaml, to a folder with one file per kind, or else to standard output. The JSON Schema for editors is written beside the files. Secrets are not exported: the files name environment variables instead. With an API key, Dashboards are left out and the exit code is 3.',
    ],
    arguments: [{ name: 'path', isPath: true }],
    options: AS_USER,
    examples: [
      { call: 'fieldwatch export site.yaml', effect: 'Everything in one file' },
      { call: 'fieldwatch export configuration', effect: 'One file per kind, in a folder' },
    ],
    hasJson: true,
    run: async (input, terminal) => (await import('./remote/index.ts')).runExport(input, terminal),
  },
  {
    name: 'plan',
    summary: 'Show how a server differs from YAML files',
    about: [
      'Nothing is changed. Deletions are shown with the number of stored readings that would be lost. The exit code is 4 if apply with the same arguments would change something.',
    ],
    arguments: [{ name: 'path', isRequired: true, isRepeatable: true, isPath: true }],
    options: [PRUNE, ...AS_USER],
    examples: [
      { call: 'fieldwatch plan site.yaml', effect: 'Differences from one file' },
      { call: 'fieldwatch plan configuration --prune', effect: 'Deletions, too' },
    ],
    hasJson: true,
    run: async (input, terminal) => (await import('./remote/index.ts')).runPlan(input, terminal),
  },
  {
    name: 'apply',
    summary: 'Change a server to what YAML files say',
    about: [
      'Records are created and changed in the order of their references. A record that someone else changes meanwhile is left alone, and named. After an interruption, the same command goes on. Without --prune nothing is deleted.',
    ],
    arguments: [{ name: 'path', isRequired: true, isRepeatable: true, isPath: true }],
    options: [
      PRUNE,
      {
        name: '--credentials',
        isPath: true,
        value: 'file',
        summary: 'Append the passwords of new Devices and the secrets of new webhooks to this file',
      },
      ...AS_USER,
    ],
    examples: [
      { call: 'fieldwatch apply site.yaml', effect: 'Apply one file' },
      {
        call: 'fieldwatch apply configuration --prune --credentials credentials.jsonl',
        effect: 'Delete what the folder no longer has, and keep the secrets of new records',
      },
    ],
    hasJson: true,
    run: async (input, terminal) => (await import('./remote/index.ts')).runApply(input, terminal),
  },
  {
    name: 'template',
    summary: 'Print a template with its parameters filled in, as YAML',
    about: ['The result is checked as plan does, without a server.'],
    arguments: [{ name: 'file', isRequired: true, isPath: true }],
    options: [
      {
        name: '--set',
        value: 'name=value',
        isRepeatable: true,
        summary: 'The value of a parameter',
      },
    ],
    examples: [
      {
        call: 'fieldwatch template templates/pump-station.yaml --set site=graz --set name=Graz',
        effect: 'The records of one site',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./remote/index.ts')).runTemplate(input, terminal),
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of configuration files, for editors',
    about: [],
    arguments: [],
    options: [],
    examples: [
      { call: 'fieldwatch schema > fieldwatch.schema.json', effect: 'Write it to a file' },
    ],
    hasJson: false,
    run: async (input, terminal) => (await import('./remote/index.ts')).runSchema(input, terminal),
  },
];
