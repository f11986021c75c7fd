import { KEY_PERMISSIONS, ROLES } from '@fieldwatch/contract';
import type { Command } from './command/index.ts';

/** Commands that work on the installation of this machine, with the settings of its server. */
export const INSTALLATION_COMMANDS: readonly Command[] = [
  {
    name: 'status',
    summary: 'Show whether a server runs here, with its nodes, database and last backup',
    about: [
      'Nothing is started. The exit code is 0 while a server with this data directory runs, and 1 otherwise.',
    ],
    arguments: [],
    options: [],
    examples: [
      { call: 'fieldwatch status', effect: 'Show the state of the installation' },
      {
        call: 'fieldwatch status --json',
        effect: 'The same for a script: one line of JSON, and the exit code',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).runStatus(input, terminal),
  },
  {
    name: 'doctor',
    summary: 'Examine the machine and the installation, and name remedies',
    about: [
      'Checks settings, user, memory, open files, data directory, disk, ports, certificates, broker, database, clock, migrations and secret key. A stopped embedded PostgreSQL is started for the examination. The exit code is 1 if a finding is an error.',
    ],
    arguments: [],
    options: [],
    examples: [
      { call: 'fieldwatch doctor', effect: 'Find out why a server does not start' },
      { call: 'fieldwatch doctor --json', effect: 'The findings for a script' },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).runDoctor(input, terminal),
  },
  {
    name: 'backup',
    summary: 'Back up the whole installation to one file, also while its server runs',
    about: [
      'The file contains the database and the secret key. Without a name it is fieldwatch-<time>.backup in the working directory; an existing file is never overwritten.',
    ],
    arguments: [{ name: 'file', isPath: true }],
    options: [],
    examples: [
      { call: 'fieldwatch backup', effect: 'Back up to a file that is named after the time' },
      {
        call: 'fieldwatch backup /mnt/backups/fieldwatch.backup --json',
        effect: 'Back up to this file, and report to a script',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).backUp(input, terminal),
  },
  {
    name: 'restore',
    summary: 'Fill a new installation from a backup',
    about: [
      'The server must not run, and the installation must be empty. All sessions end; API keys of the backup are valid again unless they are revoked.',
    ],
    arguments: [{ name: 'file', isRequired: true, isPath: true }],
    options: [{ name: '--revoke-keys', summary: 'Revoke all API keys of the backup' }],
    examples: [
      {
        call: 'FIELDWATCH_DATA_DIR=/srv/fieldwatch fieldwatch restore fieldwatch.backup',
        effect: 'Restore to a new data directory',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).restore(input, terminal),
  },
  {
    name: 'reset-password',
    summary: 'Set a new password for a user, and end their sessions',
    about: [
      'Works while the server runs, too. The audit log of each organization of the user records it.',
    ],
    arguments: [{ name: 'email', isRequired: true }],
    options: [
      {
        name: '--stdin',
        summary: 'Read the password from standard input instead of generating one',
      },
    ],
    examples: [
      {
        call: 'fieldwatch reset-password admin@fieldwatch.local',
        effect: 'Generate a password and print it',
      },
      {
        call: 'fieldwatch reset-password admin@fieldwatch.local --stdin < password.txt',
        effect: 'Set the password of a file, which is not printed',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).runResetPassword(input, terminal),
  },
  {
    name: 'create-key',
    summary: 'Create an API key, and print its secret once',
    about: ['Works while the server runs, too. The audit log of the organization records it.'],
    arguments: [{ name: 'name', isRequired: true }],
    options: [
      { name: '--role', value: 'role', values: ROLES, summary: 'The permissions of a role' },
      {
        name: '--permission',
        value: 'permission',
        values: KEY_PERMISSIONS,
        isRepeatable: true,
        summary: 'A single permission',
      },
      { name: '--days', value: 'days', summary: 'The key expires after this many days' },
      {
        name: '--organization',
        value: 'id',
        summary: 'The organization, where there are several',
      },
    ],
    examples: [
      {
        call: "fieldwatch create-key 'Grafana' --role VIEWER",
        effect: 'A key that reads what a Viewer reads',
      },
      {
        call: "fieldwatch create-key 'Import' --permission WriteReadings --days 7",
        effect: 'A key that writes readings, for a week',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).runCreateKey(input, terminal),
  },
  {
    name: 'lorawan-probe',
    summary: 'Listen to the broker of a LoRaWAN network, and print what is understood',
    about: [
      'Works while the server runs, too: it has a session of its own at the broker, and stores nothing.',
    ],
    arguments: [],
    options: [
      { name: '--network', value: 'id', summary: 'The network; required' },
      { name: '--seconds', value: 'seconds', summary: 'How long it listens; 60 by default' },
    ],
    examples: [
      {
        call: 'fieldwatch lorawan-probe --network 018f0000-0000-7000-8000-000000000000',
        effect: 'Each event of a minute, with the values that it would become',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./installation/index.ts')).runLorawanProbe(input, terminal),
  },
];
