import { SEVERITIES } from '@fieldwatch/contract';
import type { Command } from './command/index.ts';
import { CONFIGURATION_COMMANDS } from './configuration-commands.ts';
import { CONNECTION } from './connection-options.ts';

/** Commands that talk to a server, here or elsewhere, with an API key. */
export const REMOTE_COMMANDS: readonly Command[] = [
  {
    name: 'tail',
    summary: 'Print values and alarm events as they happen, until Ctrl-C',
    about: [
      'A lost connection is opened again by itself. With --json each line is one reading or alarm event.',
    ],
    arguments: [],
    options: [
      { name: '--device', value: 'id', isRepeatable: true, summary: 'Only this Device' },
      { name: '--variable', value: 'id', isRepeatable: true, summary: 'Only this Variable' },
      {
        name: '--severity',
        value: 'severity',
        values: SEVERITIES,
        isRepeatable: true,
        summary: 'Only alarm events of this severity',
      },
      {
        name: '--only',
        value: 'kind',
        values: ['values', 'alarms'],
        summary: 'Only values, or only alarm events',
      },
      ...CONNECTION,
    ],
    examples: [
      { call: 'fieldwatch tail', effect: 'Everything of the organization' },
      {
        call: 'fieldwatch tail --only alarms --severity CRITICAL --severity HIGH --json',
        effect: 'Severe alarm events, one line of JSON each',
      },
    ],
    hasJson: true,
    run: async (input, terminal) => (await import('./remote/index.ts')).runTail(input, terminal),
  },
  {
    name: 'publish',
    summary: 'Send readings of a Device, over HTTP or MQTT',
    about: [
      'A reading is path=value. Numbers, true and false are taken as such, everything else as text. Over HTTP the key needs WriteReadings; the exit code is 3 if readings were rejected. Over MQTT the address has the username and password of the Device.',
    ],
    arguments: [
      { name: 'device-id', isRequired: true },
      { name: 'reading', isRequired: true, isRepeatable: true },
    ],
    options: [
      {
        name: '--time',
        value: 'time',
        summary: 'ISO 8601 or epoch milliseconds; the time of arrival otherwise',
      },
      {
        name: '--mqtt',
        value: 'url',
        summary: 'Publish over MQTT: mqtt://username:password@host:1883',
      },
      ...CONNECTION,
    ],
    examples: [
      {
        call: 'fieldwatch publish "$DEVICE_ID" engine.rpm=1800 engine.running=true',
        effect: 'Two readings, now',
      },
      {
        call: 'fieldwatch publish "$DEVICE_ID" engine.rpm=1750 --time 2026-11-01T08:00:00Z',
        effect: 'A reading of the past',
      },
    ],
    hasJson: true,
    run: async (input, terminal) => (await import('./remote/index.ts')).runPublish(input, terminal),
  },
  {
    name: 'import-csv',
    summary: 'Import the history of the Variables of a Device from a CSV file',
    about: [
      'The first line names the columns: one is the time, each other one a Variable, by its path. Times are ISO 8601 (UTC without an offset), epoch milliseconds or epoch seconds. Fields that are empty are left out.',
      'An import that was interrupted goes on where it stopped when the same command is run again. Importing twice has no effect: a Variable has one reading at a time. Wrong lines are named and left out, and the exit code is then 3.',
    ],
    arguments: [{ name: 'file', isRequired: true, isPath: true }],
    options: [
      { name: '--device', value: 'id', summary: 'The Device; required' },
      {
        name: '--time-column',
        value: 'name',
        summary: 'The column of the time; the first one otherwise',
      },
      {
        name: '--map',
        value: 'column=path',
        isRepeatable: true,
        summary: 'The Variable of a column whose name is not a path',
      },
      { name: '--dry-run', summary: 'Check the whole file and send nothing' },
      ...CONNECTION,
    ],
    examples: [
      {
        call: 'fieldwatch import-csv history.csv --device "$DEVICE_ID" --dry-run',
        effect: 'Check a file',
      },
      {
        call: 'fieldwatch import-csv history.csv --device "$DEVICE_ID" --time-column Zeit --map \'Speed [rpm]=engine.rpm\'',
        effect: 'Import it, with names of columns of its own',
      },
    ],
    hasJson: true,
    run: async (input, terminal) =>
      (await import('./remote/index.ts')).runImportCsv(input, terminal),
  },
  {
    name: 'mcp',
    summary: 'Let an assistant read assets, values, history and alarms, over MCP',
    about: [
      'Serves the Model Context Protocol over standard input and output, for one client, which starts this command itself. All tools only read. A key with the role VIEWER may use all of them.',
    ],
    arguments: [],
    options: [...CONNECTION],
    examples: [
      {
        call: 'fieldwatch mcp',
        effect: 'As the command of an MCP client, with the connection in its environment',
      },
    ],
    hasJson: false,
    run: async (input, terminal) => (await import('./remote/index.ts')).runMcp(input, terminal),
  },
  ...CONFIGURATION_COMMANDS,
];
